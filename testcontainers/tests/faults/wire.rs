//! The way between a store and its clients, on which requests and answers get lost, come late, or are answered with
//! errors that the store never sent.
//!
//! It reads CQL's frames (version 4, not compressed) as far as that takes. `scylla-proxy` does the same, but sends each
//! frame in two pieces without `TCP_NODELAY`: through it a request takes 80 ms, and a run of crashes minutes.

use std::{
    collections::{HashMap, HashSet},
    io::{self, Read as _, Write as _},
    mem,
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
};

/// What happens to requests from here on.
#[derive(Debug, Clone, Copy)]
pub enum Plan {
    /// They pass.
    Pass,
    /// With the write of this number, from 0, all ends: neither it nor anything else comes through any more.
    CutBefore(usize),
    /// The same, but that write still reaches the store, and all ends as its answer comes.
    CutAfter(usize),
    /// The next so many of a kind do not reach the store, which seems to answer with an error.
    Refuse(Kind, Error, usize),
    /// The next so many batches stay on the way until they are let go.
    Hold(usize),
}

/// Kinds of requests that a client of ours makes once it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// What a store answers that cannot just now.
#[derive(Debug, Clone, Copy)]
pub enum Error {
    Overloaded,
    Unavailable,
    WriteTimeout,
    ReadTimeout,
}

impl Error {
    /// The body of an answer: a code, a message, and what belongs to the code.
    fn body(self) -> Vec<u8> {
        // At LOCAL_QUORUM none of two answered.
        const NONE: [u8; 10] = [0, 6, 0, 0, 0, 2, 0, 0, 0, 0];
        const NONE_OF_TWO: [u8; 10] = [0, 6, 0, 0, 0, 0, 0, 0, 0, 2];
        let (code, more): (u32, Vec<u8>) = match self {
            Error::Overloaded => (0x1001, vec![]),
            Error::Unavailable => (0x1000, NONE.to_vec()),
            Error::WriteTimeout => (0x1100, [&NONE_OF_TWO[..], &[0, 6], b"SIMPLE"].concat()),
            Error::ReadTimeout => (0x1200, [&NONE_OF_TWO[..], &[0]].concat()),
        };
        [&code.to_be_bytes()[..], &[0, 6], b"forged", &more].concat()
    }
}

/// A store's address that is not quite it. Everything passes unless told otherwise.
pub struct Wire {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    store: String,
    state: Mutex<State>,
    landed: Condvar,
}

struct State {
    plan: Plan,
    /// Writes since the plan was made.
    writes: usize,
    /// Requests that the plan struck.
    struck: usize,
    cut: bool,
    closed: bool,
    /// Batches that stay on the way, each with where it goes.
    held: Vec<(TcpStream, Frame)>,
    /// Batches that were let go and are not answered yet.
    late: usize,
    /// Ids of prepared statements that write.
    writing: HashSet<Vec<u8>>,
    connections: Vec<TcpStream>,
}

impl Wire {
    /// In front of a store.
    pub fn to(store: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let state = State {
            plan: Plan::Pass,
            writes: 0,
            struck: 0,
            cut: false,
            closed: false,
            held: Vec::new(),
            late: 0,
            writing: HashSet::new(),
            connections: Vec::new(),
        };
        let shared = Shared { store: store.to_owned(), state: Mutex::new(state), landed: Condvar::new() };
        let shared = Arc::new(shared);
        let own = shared.clone();
        thread::spawn(move || {
            for driver in listener.incoming().flatten() {
                if own.state().closed {
                    return;
                }
                // A connection that fails is one that the client makes again.
                let _ = own.connect(driver);
            }
        });
        Self { address, shared }
    }

    /// What to give a client as the store's address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Makes a plan; counts begin anew, and what was cut is whole again.
    pub fn plan(&self, plan: Plan) {
        let mut state = self.shared.state();
        (state.plan, state.writes, state.struck, state.cut) = (plan, 0, 0, false);
    }

    /// Writes since the plan was made.
    pub fn writes(&self) -> usize {
        self.shared.state().writes
    }

    /// Requests that the plan struck.
    pub fn struck(&self) -> usize {
        self.shared.state().struck
    }

    /// Whether the way was cut.
    pub fn is_cut(&self) -> bool {
        self.shared.state().cut
    }

    /// Lets go the batches that were held, and waits until the store answered them.
    pub fn let_go(&self) {
        let mut state = self.shared.state();
        for (mut store, batch) in mem::take(&mut state.held) {
            store.write_all(&batch.0).expect("its connection is open");
            state.late += 1;
        }
        drop(self.shared.landed.wait_while(state, |state| state.late > 0).expect("nobody panics with it"));
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.closed = true;
        state.cut();
        drop(state);
        // Wakes the one that accepts.
        drop(TcpStream::connect(&self.address));
    }
}

impl State {
    fn cut(&mut self) {
        self.cut = true;
        for connection in self.connections.drain(..) {
            // It may be closed already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }

    fn connect(self: &Arc<Self>, driver: TcpStream) -> io::Result<()> {
        let store = TcpStream::connect(&self.store)?;
        for stream in [&driver, &store] {
            stream.set_nodelay(true)?;
        }
        let mut state = self.state();
        if state.cut {
            return Ok(());
        }
        state.connections.extend([driver.try_clone()?, store.try_clone()?]);
        drop(state);
        let asked = Arc::new(Mutex::new(HashMap::new()));
        let one = |from: &TcpStream, to: &TcpStream| -> io::Result<_> {
            Ok(Way { shared: self.clone(), from: from.try_clone()?, to: to.try_clone()?, asked: asked.clone() })
        };
        let (up, down) = (one(&driver, &store)?, one(&store, &driver)?);
        thread::spawn(move || up.requests());
        thread::spawn(move || down.answers());
        Ok(())
    }
}

/// What is awaited of a request's answer.
enum Asked {
    /// The id of a statement that writes.
    Writing,
    /// The end of everything.
    Last,
    /// A batch that was let go.
    Late,
}

/// One way of a connection. Ends with it.
struct Way {
    shared: Arc<Shared>,
    from: TcpStream,
    to: TcpStream,
    asked: Arc<Mutex<HashMap<[u8; 2], Asked>>>,
}

const PREPARE: u8 = 9;
const EXECUTE: u8 = 10;
const BATCH: u8 = 13;
const ERROR: u8 = 0;

/// A frame: version, flags, two bytes that name the request, an opcode, a length of four bytes, and the body.
struct Frame(Vec<u8>);

impl Frame {
    const HEADER: usize = 9;

    fn read(from: &mut TcpStream) -> io::Result<Self> {
        let mut bytes = vec![0; Self::HEADER];
        from.read_exact(&mut bytes)?;
        let length = u32::from_be_bytes([bytes[5], bytes[6], bytes[7], bytes[8]]);
        bytes.resize(Self::HEADER + length as usize, 0);
        from.read_exact(&mut bytes[Self::HEADER..])?;
        Ok(Self(bytes))
    }

    fn name(&self) -> [u8; 2] {
        [self.0[2], self.0[3]]
    }

    fn opcode(&self) -> u8 {
        self.0[4]
    }

    fn body(&self) -> &[u8] {
        &self.0[Self::HEADER..]
    }

    /// The bytes at a place of the body behind their length of two bytes.
    fn short_bytes(&self, at: usize) -> &[u8] {
        let body = &self.body()[at..];
        let length = usize::from(u16::from_be_bytes([body[0], body[1]]));
        &body[2..2 + length]
    }

    /// The answer to this request that says that something went wrong.
    fn refused(&self, error: Error) -> Vec<u8> {
        const ANSWER_OF_VERSION_4: u8 = 0x84;
        let body = error.body();
        let header = [&[ANSWER_OF_VERSION_4, 0][..], &self.name(), &[ERROR], &(body.len() as u32).to_be_bytes()];
        [&header.concat()[..], &body].concat()
    }

    /// Whether a statement that is to be prepared writes; what settles something once is no write of ours.
    fn prepares_a_write(&self) -> bool {
        let statement = String::from_utf8_lossy(&self.body()[4..]);
        ["INSERT", "DELETE", "UPDATE"].iter().any(|verb| statement.starts_with(verb)) && !statement.contains(" IF ")
    }
}

/// What becomes of a request.
enum Fate {
    Passes,
    Refused(Error),
    Held,
    Lost,
}

impl Way {
    fn requests(mut self) {
        while let Ok(frame) = Frame::read(&mut self.from) {
            let done = match self.fate(&frame) {
                Fate::Passes => self.to.write_all(&frame.0),
                Fate::Refused(error) => self.from.write_all(&frame.refused(error)),
                Fate::Held => self.to.try_clone().map(|store| self.shared.state().held.push((store, frame))),
                Fate::Lost => return,
            };
            if done.is_err() {
                break;
            }
        }
        let _ = self.to.shutdown(Shutdown::Both);
    }

    fn fate(&self, frame: &Frame) -> Fate {
        let mut state = self.shared.state();
        let expect = |asked: Asked| {
            self.asked().insert(frame.name(), asked);
        };
        let kind = match frame.opcode() {
            PREPARE if frame.prepares_a_write() => {
                expect(Asked::Writing);
                return Fate::Passes;
            }
            BATCH => Kind::Write,
            EXECUTE if state.writing.contains(frame.short_bytes(0)) => Kind::Write,
            EXECUTE => Kind::Read,
            _ => return Fate::Passes,
        };
        let number = state.writes;
        state.writes += usize::from(kind == Kind::Write);
        let fate = match &mut state.plan {
            Plan::CutBefore(last) if kind == Kind::Write && number == *last => {
                state.cut();
                Fate::Lost
            }
            Plan::CutAfter(last) if kind == Kind::Write && number == *last => {
                expect(Asked::Last);
                Fate::Passes
            }
            Plan::Refuse(of, error, left @ 1..) if *of == kind => {
                *left -= 1;
                Fate::Refused(*error)
            }
            Plan::Hold(left @ 1..) if frame.opcode() == BATCH => {
                *left -= 1;
                expect(Asked::Late);
                Fate::Held
            }
            _ => return Fate::Passes,
        };
        state.struck += 1;
        fate
    }

    fn answers(mut self) {
        while let Ok(frame) = Frame::read(&mut self.from) {
            let asked = self.asked().remove(&frame.name());
            let mut state = self.shared.state();
            match asked {
                // A kind of four bytes, then the id.
                Some(Asked::Writing) if frame.opcode() != ERROR => {
                    state.writing.insert(frame.short_bytes(4).to_vec());
                }
                Some(Asked::Last) => return state.cut(),
                Some(Asked::Late) => {
                    state.late -= 1;
                    self.shared.landed.notify_all();
                }
                _ => {}
            }
            drop(state);
            if self.to.write_all(&frame.0).is_err() {
                break;
            }
        }
        let _ = self.to.shutdown(Shutdown::Both);
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<[u8; 2], Asked>> {
        self.asked.lock().expect("nobody panics with it")
    }
}
