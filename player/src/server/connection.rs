//! One message and its answer.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::{IpAddr, Shutdown};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use super::connections::Place;
use super::game::{Game, StartFields};
use super::{LogEntry, Shared};
use crate::PeerText;
use crate::clock::Deadlines;
use crate::protocol::http::{HttpError, ReadLimits, Request, Timed, read_request, write_answer};
use crate::protocol::{Message, News};

/// How long the head of a message may take to come.
const HEAD: Duration = Duration::from_secs(10);
/// How long a message may take to come.
const READ: Duration = Duration::from_secs(30);
/// Messages of more bytes are understood one after the other.
const LONG: usize = 64 << 10;
/// Bytes of the name of a match.
const LONGEST_ID: usize = 1000;
/// Characters of a reason for a refusal, which has the beginnings of what peers said.
const LONGEST_REASON: usize = 1000;
/// How long writing an answer may take.
const WRITE: Duration = Duration::from_secs(5);
/// A match of which nothing is heard for so long beyond its clocks is over: its server has gone.
const SILENCE: Duration = Duration::from_secs(60);

/// The matches under way, by name.
#[derive(Default)]
pub(super) struct Matches(BTreeMap<String, Entry>);

struct Entry {
    /// `None` until START has been answered.
    game: Arc<Mutex<Option<Game>>>,
    stop: Arc<AtomicBool>,
    /// Who sent START.
    sender: Option<IpAddr>,
    /// When the last answer was given, or when the start clock ends: from then on the next message is waited for.
    silent_since: Instant,
    /// When nothing heard by then means that nothing will be.
    expires: Instant,
    clocks: (Duration, Duration),
}

impl Matches {
    /// Ends all.
    pub(super) fn clear(&mut self) {
        self.0.values().for_each(|it| it.stop.store(true, Ordering::Relaxed));
        self.0.clear();
    }

    /// Whether a match is played for a server at that address.
    pub(super) fn are_with(&self, server: IpAddr) -> bool {
        self.0.values().any(|it| it.sender == Some(server))
    }

    fn contains(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Ends those that nothing is heard of any more.
    fn expire(&mut self) {
        let now = Instant::now();
        self.0.retain(|_, entry| {
            let lives = entry.expires > now;
            if !lives {
                entry.stop.store(true, Ordering::Relaxed);
            }
            lives
        });
    }

    fn heard(&mut self, id: &str) -> Option<&mut Entry> {
        let entry = self.0.get_mut(id)?;
        entry.expires = expiry(entry.clocks);
        entry.silent_since = Instant::now() + entry.clocks.1;
        Some(entry)
    }

    /// An answer to PLAY has been given.
    fn answered(&mut self, id: &str) {
        if let Some(entry) = self.0.get_mut(id) {
            entry.silent_since = Instant::now();
        }
    }

    /// Ends what a sender has not gone on with for a play clock, when it starts a match for which there is no seat, or one of the
    /// same name: its STOP was lost.
    fn end_forgotten(&mut self, id: &str, sender: Option<IpAddr>) {
        let is_known = self.0.contains_key(id);
        let is_forgotten = |(name, entry): &(&String, &Entry)| {
            let is_in_the_way = !is_known || *name == id;
            is_in_the_way && entry.sender == sender && entry.silent_since.elapsed() > entry.clocks.1
        };
        let entries = self.0.iter().filter(is_forgotten);
        let longest = entries.min_by_key(|it| it.1.silent_since).map(|it| it.0.clone());
        if let Some(id) = longest.filter(|_| sender.is_some()) {
            self.remove(&id);
        }
    }

    /// Why there is no seat: the match that has been silent for longest, or the one of that name.
    fn busy(&self, id: &str, sender: Option<IpAddr>) -> String {
        let longest = || self.0.iter().min_by_key(|it| it.1.silent_since);
        // Who knows the name of a match can end it: it is told to its server only.
        let found = self.0.get_key_value(id).or_else(longest).filter(|it| it.1.sender == sender);
        let Some((id, entry)) = found else {
            return "busy".to_owned();
        };
        format!("busy: match {id} has been silent for {} s", entry.silent_since.elapsed().as_secs())
    }

    fn remove(&mut self, id: &str) -> bool {
        let removed = self.0.remove(id);
        if let Some(entry) = &removed {
            entry.stop.store(true, Ordering::Relaxed);
        }
        removed.is_some()
    }
}

fn expiry((start, play): (Duration, Duration)) -> Instant {
    Instant::now() + start.max(play) * 2 + SILENCE
}

/// What is to be answered.
struct Reply {
    status: &'static str,
    text: String,
    entry: Option<LogEntry>,
    /// The deadline that was waited for, if one was.
    awaited: Option<Instant>,
}

impl Reply {
    fn ok(text: impl Into<String>) -> Self {
        Reply { status: "200 OK", text: text.into(), entry: None, awaited: None }
    }

    fn fault(status: &'static str, reason: impl AsRef<str>) -> Self {
        let text = PeerText::within(reason.as_ref(), LONGEST_REASON).into();
        let mut reply = Reply { status, text, entry: None, awaited: None };
        reply.log("refused", "");
        reply
    }

    fn bad(reason: impl AsRef<str>) -> Self {
        Self::fault("400 Bad Request", reason)
    }

    fn log(&mut self, event: &'static str, id: &str) -> &mut LogEntry {
        self.entry.insert(LogEntry {
            event,
            id: PeerText::new(id),
            turn: None,
            answer: PeerText::new(&self.text),
            instead: None,
            seconds: 0.0,
            clock: None,
            margin: None,
            decision: None,
        })
    }

    fn logged(mut self, event: &'static str, id: &str) -> Self {
        self.log(event, id);
        self
    }
}

/// Reads a message and answers it.
pub(super) fn serve(place: &Place, arrived: Instant, shared: &Shared) {
    let stream = &*place.stream;
    // Small answers are not to wait for others.
    let _ = stream.set_nodelay(true);
    let limits = ReadLimits {
        head: arrived + HEAD,
        end: arrived + READ,
        most: shared.options.most_bytes,
        has_room: &|bytes| place.has_room(bytes),
    };
    let request = read_request(stream, &limits);
    let read_all = request.is_ok();
    let read = Instant::now();
    let (origin, reply) = match request {
        Ok(request) if place.set_unfinished(false) => {
            let origin = request.origin.clone();
            (origin, answer(request, (arrived, Some(place.peer)), shared))
        }
        Err(HttpError::Empty) if place.is_kept() => return,
        Ok(_) | Err(_) if !place.is_kept() => {
            let reason = "others need the place of this connection: send the message again";
            (None, Reply::fault("503 Service Unavailable", reason))
        }
        Ok(_) | Err(HttpError::Empty) => return,
        Err(error) if error.is_late() => {
            let reason = "the message did not come to its end in time";
            (None, Reply::fault("408 Request Timeout", reason))
        }
        Err(HttpError::Io(_)) => return,
        Err(error @ HttpError::TooLong(_)) => {
            (None, Reply::fault("413 Content Too Large", error.to_string()))
        }
        Err(error @ HttpError::Busy) => {
            (None, Reply::fault("429 Too Many Requests", error.to_string()))
        }
        Err(error) => (None, Reply::bad(error.to_string())),
    };
    place.forget_message();
    // A page that may not ask may not read the answer either.
    let origin = origin.as_deref().unwrap_or("*");
    let origin = (origin == "*" || may_ask(origin, shared)).then_some(origin);
    // What a peer takes to send and to read is not the own delay.
    let answered = Instant::now();
    let written = write_answer(stream, Instant::now() + WRITE, reply.status, origin, &reply.text);
    let now = Instant::now();
    if let Some(awaited) = reply.awaited.filter(|it| *it >= read) {
        shared.margin().record(answered.saturating_duration_since(awaited));
    }
    if let (Some(mut entry), Some(log)) = (reply.entry, &shared.options.log) {
        entry.seconds = now.saturating_duration_since(arrived).as_secs_f64();
        log(&entry);
    }
    if written.is_ok() && !read_all && place.set_unfinished(true) {
        // Closing while something is unread would take the answer away.
        let _ = stream.shutdown(Shutdown::Write);
        let mut rest = Timed::new(stream, Instant::now() + Duration::from_millis(200));
        let mut block = [0; 8192];
        while rest.read(&mut block).is_ok_and(|read| read > 0) {}
    }
}

/// Whether pages of that site may ask.
fn may_ask(origin: &str, shared: &Shared) -> bool {
    let allowed = &shared.options.allowed_origins;
    allowed.iter().any(|it| it == "*" || it.eq_ignore_ascii_case(origin))
}

/// Why a browser is not answered: a page of another site is not to steer matches here. Game servers send neither header.
fn foreign_page(request: &Request, shared: &Shared) -> Option<String> {
    if let Some(origin) = &request.origin {
        let shown = PeerText::new(origin);
        return (!may_ask(origin, shared)).then(|| {
            format!("pages of `{shown}` are not answered: allow them with --allow-origin")
        });
    }
    // `none`: the person has entered the address.
    let site = request.fetch_site.as_deref().unwrap_or("none");
    let is_own = site.eq_ignore_ascii_case("none") || may_ask("*", shared);
    (!is_own).then(|| "pages of other sites are not answered".to_owned())
}

fn answer(
    request: Request,
    (arrived, sender): (Instant, Option<IpAddr>),
    shared: &Shared,
) -> Reply {
    if let Some(reason) = foreign_page(&request, shared) {
        return Reply::fault("403 Forbidden", reason);
    }
    match request.method.as_str() {
        "OPTIONS" => return Reply::ok(""),
        "POST" | "GET" => {}
        other => {
            let other = PeerText::new(other);
            return Reply::bad(format!("the method is {other}: expected POST, GET or OPTIONS"));
        }
    }
    let text = request.text;
    // The icon of a page, which browsers ask for by themselves.
    if text == "favicon.ico" {
        return Reply::fault("404 Not Found", "there is no icon");
    }
    let nothing = text.trim().is_empty();
    if let Some((kind, id)) = Message::match_of(&text) {
        if id.len() > LONGEST_ID {
            let bytes = id.len();
            return Reply::bad(format!(
                "the name of the match has {bytes} bytes: {LONGEST_ID} are allowed"
            ));
        }
        // What is not played here need not be understood.
        if kind != "start" && !shared.matches().contains(id) {
            return Reply::ok("busy").logged(kind, id);
        }
    }
    let one_by_one = (text.len() > LONG)
        .then(|| shared.understanding.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    let message = Message::parse(&text);
    drop(text);
    // To read its rules is all of PREVIEW; START has its clock for that.
    if !matches!(message, Ok(Message::Preview { .. })) {
        drop(one_by_one);
    }
    match message {
        Ok(Message::Ping) if nothing => info(shared),
        Ok(message) => dispatch(message, (arrived, sender), shared),
        Err(error) => Reply::bad(error.to_string()),
    }
}

fn preview(rules: &str, end: Instant) -> Reply {
    let options = groundfrog::ParseOptions { deadline: Some(end), ..Default::default() };
    match groundfrog::Description::parse(rules.as_bytes(), &options) {
        Ok(_) => Reply::ok("ready").logged("preview", ""),
        Err(error) => Reply::bad(format!("the rules: {error}")),
    }
}

fn dispatch(
    message: Message,
    (arrived, sender): (Instant, Option<IpAddr>),
    shared: &Shared,
) -> Reply {
    match message {
        Message::Info => info(shared),
        Message::Status => Reply::ok(status(shared)),
        Message::Ping => Reply::ok("ready"),
        Message::Preview { rules, clock } => preview(&rules, arrived + clock),
        Message::Start { id, role, rules, start_clock, play_clock } => {
            let fields = StartFields { id, role, start_clock, play_clock };
            start(fields, &rules, (arrived, sender), shared)
        }
        Message::Play { id, news } => play(&id, &news, arrived, shared),
        Message::Stop { id, .. } => end(&id, "done", "stop", shared),
        Message::Abort { id } => end(&id, "aborted", "abort", shared),
    }
}

fn status(shared: &Shared) -> &'static str {
    let mut matches = shared.matches();
    matches.expire();
    let is_full = matches.0.len() >= shared.options.matches || shared.options.process.is_short();
    if is_full { "busy" } else { "available" }
}

fn info(shared: &Shared) -> Reply {
    let is_word = |it: &char| !it.is_whitespace() && !it.is_control() && !"();".contains(*it);
    let name: String = shared.options.name.chars().filter(is_word).collect();
    let name = if name.is_empty() { "groundfrog" } else { &name };
    let status = status(shared);
    Reply::ok(format!("( ( name {name} ) ( status {status} ) ( species program ) )"))
}

fn end(id: &str, text: &str, event: &'static str, shared: &Shared) -> Reply {
    let known = shared.matches().remove(id);
    Reply::ok(if known { text } else { "busy" }).logged(event, id)
}

/// How long START waits for memory that others give back.
const MEMORY_PATIENCE: Duration = Duration::from_secs(1);

fn start(
    fields: StartFields,
    rules: &str,
    (arrived, sender): (Instant, Option<IpAddr>),
    shared: &Shared,
) -> Reply {
    let id = fields.id.clone();
    let clocks = (fields.start_clock, fields.play_clock);
    let margin = shared.margin().clone();
    let deadlines = Deadlines::new(arrived, fields.start_clock, &margin);
    let (stop, slot) = (Arc::<AtomicBool>::default(), Arc::new(Mutex::new(None)));
    let patience = arrived + MEMORY_PATIENCE.min(fields.start_clock / 4);
    let has_memory = shared.options.process.wait(patience);
    {
        let mut matches = shared.matches();
        matches.expire();
        let is_full = |matches: &Matches| {
            matches.0.len() >= shared.options.matches || matches.0.contains_key(&id)
        };
        if is_full(&matches) {
            matches.end_forgotten(&id, sender);
        }
        if is_full(&matches) || !has_memory {
            return Reply::ok(matches.busy(&id, sender)).logged("start", &id);
        }
        let (game, stop) = (Arc::clone(&slot), Arc::clone(&stop));
        let silent_since = arrived + clocks.0;
        let expires = expiry(clocks);
        let entry = Entry { game, stop, sender, silent_since, expires, clocks };
        matches.0.insert(id.clone(), entry);
    }
    let started = Game::start(
        fields,
        rules,
        &shared.options,
        shared.makes(),
        &shared.alive,
        deadlines,
        Arc::clone(&stop),
    );
    match started {
        Ok((game, failed)) => {
            *slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(game);
            let mut reply = Reply::ok("ready");
            let entry = reply.log("start", &id);
            entry.instead = failed.map(PeerText::from);
            entry.clock = Some(clocks.0.as_secs_f64());
            entry.margin = Some(margin.of(clocks.0).as_secs_f64());
            reply
        }
        Err(fault) => {
            let mut matches = shared.matches();
            if matches.0.get(&id).is_some_and(|it| Arc::ptr_eq(&it.stop, &stop)) {
                matches.remove(&id);
            }
            stop.store(true, Ordering::Relaxed);
            Reply::bad(fault)
        }
    }
}

/// How long a message waits for one that came before: what cannot have happened is soon refused.
const PATIENCE: Duration = Duration::from_millis(250);

/// Locks a match, unless somebody else has it until a moment.
fn lock_until(slot: &Mutex<Option<Game>>, until: Instant) -> Option<MutexGuard<'_, Option<Game>>> {
    loop {
        match slot.try_lock() {
            Ok(slot) => return Some(slot),
            Err(TryLockError::Poisoned(slot)) => return Some(slot.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn play(id: &str, news: &News, arrived: Instant, shared: &Shared) -> Reply {
    let found = {
        let mut matches = shared.matches();
        matches.heard(id).map(|it| (Arc::clone(&it.game), it.clocks.1))
    };
    let Some((slot, clock)) = found else { return Reply::ok("busy").logged("play", id) };
    let Some(mut slot) = lock_until(&slot, arrived + PATIENCE.min(clock / 4)) else {
        return Reply::bad(format!("match {id}: the last message is not answered yet"));
    };
    let Some(game) = &mut *slot else {
        return Reply::bad(format!("match {id}: START is not answered yet"));
    };
    let margin = shared.margin().clone();
    let deadlines = Deadlines::new(arrived, clock, &margin);
    let played = game.play(news, deadlines);
    shared.matches().answered(id);
    match played {
        Ok(answer) => {
            let mut reply = Reply::ok(answer.text);
            reply.awaited = answer.awaited;
            let entry = reply.log("play", id);
            entry.turn = Some(answer.turn);
            entry.instead = answer.instead.map(PeerText::from);
            entry.clock = Some(clock.as_secs_f64());
            entry.margin = Some(margin.of(clock).as_secs_f64());
            entry.decision = answer.decision;
            reply
        }
        Err((own, fault)) if own => Reply::fault("500 Internal Server Error", fault),
        Err((_, fault)) => Reply::bad(format!("match {id}: {fault}")),
    }
}
