//! Finding a Java that a server runs on, among all that are installed.

use std::{
    env, fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// A Java on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Java {
    /// The feature release: 17, 21, 25.
    pub release: u32,
    /// The launcher.
    pub program: PathBuf,
}

/// The Java to run a server on: that of `JAVA_HOME`, else that of `PATH`, else any under `/usr/lib/jvm`; the first that
/// is one of the releases the server runs on. The error says what was found and what to install.
pub(super) fn find(releases: &RangeInclusive<u32>, package: &str) -> Result<Java, String> {
    choose(installed(), releases, package)
}

fn choose(found: Vec<Java>, releases: &RangeInclusive<u32>, package: &str) -> Result<Java, String> {
    let seen: Vec<String> = found.iter().map(|java| java.release.to_string()).collect();
    found.into_iter().find(|java| releases.contains(&java.release)).ok_or_else(|| {
        let wanted = match releases.end() {
            &u32::MAX => format!("Java {} or newer", releases.start()),
            end => format!("Java {} to {end}", releases.start()),
        };
        let seen = if seen.is_empty() { "no Java at all".to_owned() } else { format!("Java {}", seen.join(", ")) };
        format!("needs {wanted} and found {seen}; install {package}")
    })
}

fn installed() -> Vec<Java> {
    let named = env::var_os("JAVA_HOME").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    // The launcher on the path is a link into its home.
    let on_path = env::split_paths(&path).find_map(|folder| folder.join("java").canonicalize().ok());
    let on_path = on_path.and_then(|program| Some(program.parent()?.parent()?.to_owned()));
    let mut packaged: Vec<PathBuf> =
        fs::read_dir("/usr/lib/jvm").map(|homes| homes.flatten().map(|home| home.path()).collect()).unwrap_or_default();
    packaged.sort();
    named.into_iter().chain(on_path).chain(packaged).filter_map(|home| at(&home)).collect()
}

/// Reads which release a home has from its `release` file, which spares a start of the launcher.
fn at(home: &Path) -> Option<Java> {
    let program = home.join("bin/java");
    let about = fs::read_to_string(home.join("release")).ok()?;
    let version = about.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    let release = version.split(['.', '"', '-', '+']).next()?.parse().ok()?;
    program.is_file().then_some(Java { release, program })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java(release: u32) -> Java {
        Java { release, program: PathBuf::from("java") }
    }

    #[test]
    fn the_first_that_fits_is_taken() {
        assert_eq!(choose(vec![java(25), java(17), java(11)], &(11..=17), ""), Ok(java(17)));
        assert_eq!(choose(vec![java(17), java(25)], &(21..=u32::MAX), ""), Ok(java(25)));
    }

    #[test]
    fn the_error_says_what_to_install() {
        let error = choose(vec![java(8), java(17)], &(21..=u32::MAX), "openjdk-21-jre-headless");
        let error = error.expect_err("neither fits");
        assert_eq!(error, "needs Java 21 or newer and found Java 8, 17; install openjdk-21-jre-headless");
        let error = choose(vec![], &(11..=17), "openjdk-17-jre-headless").expect_err("there is none");
        assert_eq!(error, "needs Java 11 to 17 and found no Java at all; install openjdk-17-jre-headless");
    }

    #[test]
    fn a_home_is_read() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir(home.path().join("bin")).expect("a folder in it");
        fs::write(home.path().join("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n").expect("it is written");
        assert_eq!(at(home.path()), None, "without a launcher it is no home");
        let program = home.path().join("bin/java");
        fs::write(&program, "").expect("it is written");
        assert_eq!(at(home.path()), Some(Java { release: 17, program }));
    }
}
