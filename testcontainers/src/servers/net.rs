//! Loopback ports and bounded connections.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream, ToSocketAddrs as _},
    time::Duration,
};

const CONNECT: Duration = Duration::from_secs(2);
const ANSWER: Duration = Duration::from_secs(10);

/// A connection whose reads and writes end in bounded time. Of a list of addresses, the first.
pub(super) fn connect(address: &str) -> Result<TcpStream, String> {
    let first = address.split(',').next().unwrap_or(address);
    let failed = |error: std::io::Error| format!("no connection to {first}: {error}");
    let resolved = first.to_socket_addrs().map_err(failed)?.next();
    let stream = TcpStream::connect_timeout(&resolved.ok_or(format!("{first} is no address"))?, CONNECT);
    let stream = stream.map_err(failed)?;
    stream.set_read_timeout(Some(ANSWER)).map_err(failed)?;
    stream.set_write_timeout(Some(ANSWER)).map_err(failed)?;
    Ok(stream)
}

/// A free loopback port that stays free while a server of ours is down: it lies below the range from which systems take
/// the ports of outgoing connections.
pub(crate) fn free_port() -> u16 {
    const LOWEST: u16 = 15_000;
    const COUNT: u16 = 17_000;
    loop {
        let mut dice = [0; 2];
        // Where there is no randomness nothing of ours runs.
        getrandom::fill(&mut dice).expect("the system has randomness");
        let port = LOWEST + u16::from_ne_bytes(dice) % COUNT;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}
