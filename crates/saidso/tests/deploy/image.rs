//! The image.

use std::{fs, path::Path};

use crate::{assert_pinned, root, text};

/// The arguments of an instruction, wherever it stands.
fn all(instruction: &str) -> Vec<String> {
    let file = text("Dockerfile");
    let lines = file.lines().filter_map(|line| line.strip_prefix(instruction)?.strip_prefix(' '));
    lines.map(str::to_owned).collect()
}

fn one(instruction: &str) -> String {
    let [argument] = &all(instruction)[..] else { panic!("{instruction} stands there once") };
    argument.clone()
}

/// The user's number.
pub fn user() -> u32 {
    let user = one("USER");
    let (user, group) = user.split_once(':').unwrap();
    assert_eq!(user, group);
    user.parse().unwrap()
}

/// The port it tells of.
pub fn port() -> u16 {
    one("EXPOSE").parse().unwrap()
}

#[test]
fn the_image_is_built_with_the_toolchain_of_the_tests() {
    let toolchain: toml::Table = fs::read_to_string(root().join("rust-toolchain.toml")).unwrap().parse().unwrap();
    let channel = toolchain["toolchain"]["channel"].as_str().unwrap();
    let images = all("FROM");
    assert!(images[0].starts_with(&format!("rust:{channel}-")), "{images:?}: rust-toolchain.toml says {channel}");
    images.iter().for_each(|image| assert_pinned(image.split(' ').next().unwrap()));
}

#[test]
fn the_image_runs_the_program_for_somebody_else_than_root() {
    assert_ne!(user(), 0);
    assert_eq!(one("ENTRYPOINT"), r#"["/usr/local/bin/saidso"]"#);
}

#[test]
fn the_weights_lie_where_the_program_looks_for_them() {
    let cache = one("ENV");
    let cache = Path::new(cache.strip_prefix("XDG_CACHE_HOME=").unwrap()).join("saidso");
    let copied = all("COPY").into_iter().find_map(|copy| Some(copy.split_once("/weights/ ")?.1.to_owned())).unwrap();
    assert_eq!(Path::new(&copied), cache);
}

#[test]
fn what_cargo_reads_goes_into_the_build() {
    let ignore = text("Dockerfile.dockerignore");
    let mut lines = ignore.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("*"));
    let kept: Vec<&str> = lines.map(|line| line.strip_prefix('!').unwrap()).collect();
    for name in &kept {
        assert!(root().join(name).exists(), "there is no {name}");
    }
    let workspace: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let members = members.iter().map(|member| member.as_str().unwrap().split('/').next().unwrap());
    for name in members.chain(["Cargo.toml", "Cargo.lock", "schemas"]) {
        assert!(kept.contains(&name), "{name} is left out");
    }
    // It would fetch another toolchain than the image's.
    assert!(!kept.contains(&"rust-toolchain.toml"));
}
