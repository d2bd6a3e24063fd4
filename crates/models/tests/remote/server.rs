//! The smallest HTTP server that a client takes for one.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::Value;

/// A request as it came.
pub struct Sent {
    pub path: String,
    pub authorization: Option<String>,
    pub body: Value,
}

/// Answers until the test ends.
pub struct Server {
    pub address: String,
    pub sent: Arc<Mutex<Vec<Sent>>>,
}

impl Server {
    /// With a status and a body for each request.
    pub fn start(answer: impl Fn(&Sent) -> (u16, String) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let sent: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let seen = sent.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &answer, &seen);
            }
        });
        Self { address, sent }
    }
}

/// One request; the connection ends with it.
fn serve(mut stream: TcpStream, answer: &impl Fn(&Sent) -> (u16, String), seen: &Mutex<Vec<Sent>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut path, mut authorization, mut length) = (String::new(), None, 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim_end();
        match line.split_once(": ") {
            _ if line.is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().unwrap(),
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => authorization = Some(value.to_owned()),
            Some(_) => {}
            None => path = line.split(' ').nth(1).unwrap().to_owned(),
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let sent = Sent { path, authorization, body: serde_json::from_slice(&body).unwrap() };
    let (status, text) = answer(&sent);
    seen.lock().unwrap().push(sent);
    let head = format!("HTTP/1.1 {status} as asked\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", text.len());
    stream.write_all((head + &text).as_bytes()).unwrap();
}
