//! How the demo looks.

use std::io::{self, IsTerminal};

use crate::{cli::show, failure::Failure};

/// Prints; bold and dim on a terminal.
pub struct Show {
    terminal: bool,
}

impl Show {
    /// For the standard output.
    pub fn new() -> Self {
        Self { terminal: io::stdout().is_terminal() }
    }

    /// A new scene.
    pub fn heading(&self, text: &str) -> Result<(), Failure> {
        match self.terminal {
            true => show::print(&format!("\n\u{1b}[1m{text}\u{1b}[0m\n")),
            false => show::print(&format!("\n== {text}\n")),
        }
    }

    /// A part of a scene.
    pub fn part(&self, text: &str) -> Result<(), Failure> {
        match self.terminal {
            true => show::print(&format!("\u{1b}[2m— {text}\u{1b}[0m\n")),
            false => show::print(&format!("-- {text}\n")),
        }
    }

    /// A sentence.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        show::print(&format!("{text}\n"))
    }

    /// Lines that are laid out already.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        show::print(text)
    }

    /// Something that must be so. If it is not, the demo fails rather than talk past it.
    pub fn check(&self, what: &str, holds: bool) -> Result<(), Failure> {
        if !holds {
            return Err(Failure::Claim { what: what.to_owned() });
        }
        show::print(&format!("✓ {what}\n"))
    }
}
