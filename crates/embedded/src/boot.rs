//! The boot: compares the key file with the database before anything is written, then makes good what a crash left.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use saidso_core::{
    fault::{Code, Fault},
    ports::Entropy,
};

use crate::{
    Options,
    core::Core,
    database::Database,
    folder::{Folder, starting},
    keyfile::{Contents, KeyFile},
    keyring::{Found, KeyRing, Name},
    rows::{self, DOOMED, State},
    trouble::damaged,
    writer::Writer,
};

/// Partitions a topic may have.
const PARTITIONS_MAX: u32 = 1024;

/// Opens a data folder. On a fault nothing in it was changed, a first start apart.
pub(crate) fn boot(path: &Path, entropy: Arc<dyn Entropy>, options: Options) -> Result<(Arc<Core>, Writer), Fault> {
    let Options { partitions, .. } = options;
    if !(1..=PARTITIONS_MAX).contains(&partitions) {
        let wrong = format!("opened a data folder with {partitions} partitions; it takes 1 to {PARTITIONS_MAX}");
        return Err(Fault::stop(Code::Limit, wrong));
    }
    let folder = Folder::hold(path)?;
    folder.check_format()?;
    let keys = open_keys(&folder, &entropy)?;
    let (database, mut state) = open_database(&folder, &keys, options)?;
    let Found { ring, contents, unacknowledged } = keys;
    compare(&folder, &state, &contents, partitions)?;

    let orphans: Vec<Name> =
        unacknowledged.into_iter().filter(|(commit, _)| *commit > state.commit).map(|(_, name)| name).collect();
    let doomed: BTreeSet<Name> = database.read("read the keys to destroy", |txn| {
        let table = txn.open_table(DOOMED)?;
        let rows = rows::scan(DOOMED, &table, &[], &[], usize::MAX)?;
        Ok(rows.into_iter().map(|(_, name)| name).collect())
    })?;
    ring.doom(&orphans);
    ring.doom(&doomed);
    if ring.len() != state.keys {
        let what = format!("compared {} with the database", folder.key_file().display());
        let (stand, due) = (ring.len(), state.keys);
        if stand > due || !options.accept_lost_keys {
            return Err(damaged(&what, format!("{due} keys should stand, {stand} can be read")));
        }
        state.keys = stand;
    }
    ring.discard(&contents.damaged);
    ring.flush(state.commit).map_err(starting)?;
    let core = Arc::new(Core::new(folder, database, ring, &state));
    let writer = Writer::new(Arc::clone(&core), state, doomed);
    Ok((core, writer))
}

fn open_keys(folder: &Folder, entropy: &Arc<dyn Entropy>) -> Result<Found, Fault> {
    let path = folder.key_file();
    if !path.exists() && folder.database().exists() {
        return Err(damaged(&format!("opened {}", path.display()), "it is missing, though there is a database"));
    }
    let kek = folder.kek(&**entropy)?;
    if !path.exists() {
        let mut store = [0; 16];
        entropy.fill(&mut store);
        KeyFile::create(&path, store, &kek, &**entropy)?;
    }
    KeyRing::open(&path, &kek, Arc::clone(entropy))
}

fn open_database(folder: &Folder, keys: &Found, options: Options) -> Result<(Database, State), Fault> {
    let path = folder.database();
    if !path.exists() {
        if keys.contents.acknowledged > 0 || keys.ring.len() > 0 {
            return Err(damaged(&format!("opened {}", path.display()), "it is missing, though there are keys"));
        }
        let zeros = || vec![0; options.partitions as usize];
        let state = State {
            store: keys.contents.store,
            epoch: 1,
            partitions: options.partitions,
            commit: 0,
            keys: 0,
            noted: 0,
            dead: 0,
            ends: std::array::from_fn(|_| zeros()),
            committed: std::array::from_fn(|_| zeros()),
        };
        Database::create(&path, &state).map_err(starting)?;
    }
    let database = Database::open(&path, options.check_up_to).map_err(starting)?;
    let state = database.state()?;
    Ok((database, state))
}

fn compare(folder: &Folder, state: &State, contents: &Contents, partitions: u32) -> Result<(), Fault> {
    let what = format!("compared {} with {}", folder.database().display(), folder.key_file().display());
    let (written, acknowledged) = (state.commit, contents.acknowledged);
    if state.store != contents.store {
        return Err(damaged(&what, "they belong to different stores"));
    }
    if written < acknowledged {
        let found = format!("commit {acknowledged} was acknowledged, the database ends at {written}: its tail is lost");
        return Err(damaged(&what, found));
    }
    if acknowledged < state.noted {
        let found = format!(
            "the key file should know of commit {}, it ends at {acknowledged}: it is an older copy",
            state.noted
        );
        return Err(damaged(&what, found));
    }
    if state.partitions != partitions {
        let found = format!("the data has {} partitions, {partitions} were asked for", state.partitions);
        return Err(Fault::stop(Code::Generation, format!("{what}: {found}; ask for as many as the data has")));
    }
    Ok(())
}
