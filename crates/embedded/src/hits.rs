//! How often memories were surfaced.

use saidso_core::{decay::Hit, fault::Fault, ports::Hits, scope::Scope};

use crate::{
    Embedded,
    rows::{self, HITS, Rows, under},
    trouble::Trouble,
    writer::Job,
};

impl Hits for Embedded {
    fn hits(&self, scope: &Scope) -> Result<Vec<Hit>, Fault> {
        self.0.core.database.made_later("read the hits", HITS, &rows::space(scope))
    }

    fn put_hits(&self, spaces: &[(Scope, Vec<Hit>)]) -> Result<(), Fault> {
        self.ask(|reply| Job::Hits(spaces.to_vec(), reply))
    }
}

/// Puts the hits of some spaces; `true` if that changed any.
pub(crate) fn put(table: &mut Rows<'_>, spaces: &[(Scope, Vec<Hit>)]) -> Result<bool, Trouble> {
    let mut changed = false;
    for (scope, hits) in spaces {
        for hit in hits {
            let key = under(rows::space(scope), hit.memory.as_bytes());
            if table.get(&key)?.is_none_or(|stands: Hit| stands.last_ms <= hit.last_ms) {
                table.put(&key, hit)?;
                changed = true;
            }
        }
    }
    Ok(changed)
}
