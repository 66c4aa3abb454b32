//! One message and its answer.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use web_time::Instant;

use super::game::{Game, StartFields};
use super::{INTERVAL, LogEntry, Shared};
use crate::PeerText;
use crate::clock::Deadlines;
use crate::protocol::connections::{Entered, Place};
use crate::protocol::http::{HttpError, ReadLimits, Request, answer_text, by, read_request};
use crate::protocol::{Message, News};

/// How long the head of a message may take to come.
const HEAD: Duration = Duration::from_secs(10);
/// How long a message may take to come.
const READ: Duration = Duration::from_secs(30);
/// Messages of more bytes are understood one after the other, in a thread for work.
const LONG: usize = 16 << 10;
/// Bytes of the name of a match.
const LONGEST_ID: usize = 1000;
/// Characters of a reason for a refusal, which has the beginnings of what peers said.
const LONGEST_REASON: usize = 1000;
/// How long writing an answer may take.
const WRITE: Duration = Duration::from_secs(5);
/// How long what a peer still sends is passed over when it has been refused: closing before would take the answer away.
const LINGER: Duration = Duration::from_millis(200);

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
pub(super) async fn serve(
    mut stream: TcpStream,
    peer: IpAddr,
    (place, mut taken): Entered,
    arrived: Instant,
    shared: Arc<Shared>,
) {
    let limits =
        ReadLimits { most: shared.options.most_bytes, has_room: &|bytes| place.has_room(bytes) };
    let answered = async {
        let request = read_request(&mut stream, arrived + HEAD, &limits);
        let request = by(arrived + READ, request).await?;
        let (read, origin) = (Instant::now(), request.origin.clone());
        let reply = answer(request, (arrived, peer), &place, &shared).await;
        Ok::<_, HttpError>((read, origin, reply))
    };
    let answered = tokio::select! {
        answered = answered => Some(answered),
        _ = &mut taken => None,
    };
    let read_all = matches!(answered, Some(Ok(_)));
    let is_kept = place.set_unfinished(false);
    let (read, origin, reply) = match answered {
        Some(Ok(answered)) if is_kept => answered,
        Some(Err(HttpError::Empty)) => return,
        Some(Err(ref error @ HttpError::Io(_))) if is_kept && !error.is_late() => return,
        other => {
            let error = other.and_then(Result::err).filter(|_| is_kept);
            (Instant::now(), None, refusal(error))
        }
    };
    place.forget_message();
    // A page that may not ask may not read the answer either.
    let origin = origin.as_deref().unwrap_or("*");
    let origin = (origin == "*" || may_ask(origin, &shared)).then_some(origin);
    // What a peer takes to send and to read is not the own delay.
    let answered = Instant::now();
    let answer = answer_text(reply.status, origin, &reply.text);
    let written = timeout(WRITE, stream.write_all(answer.as_bytes())).await;
    let now = Instant::now();
    if let Some(awaited) = reply.awaited.filter(|it| *it >= read) {
        shared.margin().record(answered.saturating_duration_since(awaited));
    }
    if let (Some(mut entry), Some(log)) = (reply.entry, &shared.options.log) {
        entry.seconds = now.saturating_duration_since(arrived).as_secs_f64();
        log(&entry);
    }
    if matches!(written, Ok(Ok(()))) && !read_all && place.set_unfinished(true) {
        let _ = stream.shutdown().await;
        let mut nowhere = sink();
        tokio::select! {
            _ = timeout(LINGER, copy(&mut stream, &mut nowhere)) => {}
            _ = &mut taken => {}
        }
    }
}

/// Why a message is not answered; without an error, since its connection had to give its place up.
fn refusal(error: Option<HttpError>) -> Reply {
    let Some(error) = error else {
        let reason = "others need the place of this connection: send the message again";
        return Reply::fault("503 Service Unavailable", reason);
    };
    match error {
        HttpError::Io(_) => {
            let reason = "the message did not come to its end in time";
            Reply::fault("408 Request Timeout", reason)
        }
        HttpError::TooLong(_) => Reply::fault("413 Content Too Large", error.to_string()),
        HttpError::Busy => Reply::fault("429 Too Many Requests", error.to_string()),
        _ => Reply::bad(error.to_string()),
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

/// Answers a request. What it waits for before it is at work may be cut: then others need the place.
async fn answer(
    request: Request,
    (arrived, sender): (Instant, IpAddr),
    place: &Place,
    shared: &Arc<Shared>,
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
    if text.trim().is_empty() {
        return info(shared);
    }
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
    let message = if text.len() > LONG {
        let permit = Arc::clone(&shared.understanding).acquire_owned().await.ok();
        shared.work(permit, move || Message::parse(&text)).await
    } else {
        Some(Message::parse(&text))
    };
    match message {
        Some(Ok(Message::Preview { rules, clock })) => {
            let permit = Arc::clone(&shared.previewing).acquire_owned().await.ok();
            place.set_unfinished(false);
            let read = shared.work(permit, move || preview(&rules, arrived + clock)).await;
            read.unwrap_or_else(panicked)
        }
        Some(Ok(message)) => {
            place.set_unfinished(false);
            dispatch(message, (arrived, sender), shared).await
        }
        Some(Err(error)) => Reply::bad(error.to_string()),
        None => panicked(),
    }
}

/// What is answered where something is wrong with the player itself.
fn panicked() -> Reply {
    Reply::fault("500 Internal Server Error", "the player failed")
}

fn preview(rules: &str, end: Instant) -> Reply {
    let options = groundfrog::ParseOptions { deadline: Some(end), ..Default::default() };
    match groundfrog::Description::parse(rules.as_bytes(), &options) {
        Ok(_) => Reply::ok("ready").logged("preview", ""),
        Err(error) => Reply::bad(format!("the rules: {error}")),
    }
}

async fn dispatch(
    message: Message,
    (arrived, sender): (Instant, IpAddr),
    shared: &Arc<Shared>,
) -> Reply {
    match message {
        Message::Info => info(shared),
        Message::Status => Reply::ok(status(shared)),
        // A preview has its answer already.
        Message::Ping | Message::Preview { .. } => Reply::ok("ready"),
        Message::Start { id, role, rules, start_clock, play_clock } => {
            let fields = StartFields { id, role, start_clock, play_clock };
            start(fields, rules, (arrived, sender), shared).await
        }
        Message::Play { id, news } => play(&id, news, arrived, shared).await,
        Message::Stop { id, .. } => end(&id, "done", "stop", shared),
        Message::Abort { id } => end(&id, "aborted", "abort", shared),
    }
}

fn status(shared: &Shared) -> &'static str {
    let matches = shared.matches().count(Instant::now());
    let is_full = matches >= shared.options.matches || shared.options.process.is_short();
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

async fn start(
    fields: StartFields,
    rules: String,
    (arrived, sender): (Instant, IpAddr),
    shared: &Arc<Shared>,
) -> Reply {
    let id = fields.id.clone();
    let clocks = (fields.start_clock, fields.play_clock);
    let margin = shared.margin().clone();
    let deadlines = Deadlines::new(arrived, fields.start_clock, &margin);
    let patience = arrived + MEMORY_PATIENCE.min(fields.start_clock / 4);
    while shared.options.process.is_short() && Instant::now() < patience {
        sleep(INTERVAL / 4).await;
    }
    // Of matches that were given up some may still be reading their rules.
    let permit = Arc::clone(&shared.beginning).try_acquire_owned().ok();
    let (slot, stop) = {
        let mut matches = shared.matches();
        let is_full = matches.count(Instant::now()) >= shared.options.matches;
        let has_memory = !shared.options.process.is_short();
        // Who knows the name of a match can end it: no answer tells one.
        if is_full || matches.contains(&id) || !has_memory || permit.is_none() {
            return Reply::ok("busy").logged("start", &id);
        }
        matches.begin(&id, sender, arrived, clocks)
    };
    let (own, flag) = (Arc::clone(shared), Arc::clone(&stop));
    let begin = move || Game::start(fields, &rules, &own.options, &own.alive, deadlines, flag);
    match shared.work(permit, begin).await {
        Some(Ok((game, failed))) => {
            *slot.lock().await = Some(game);
            let mut reply = Reply::ok("ready");
            let entry = reply.log("start", &id);
            entry.instead = failed.map(PeerText::from);
            entry.clock = Some(clocks.0.as_secs_f64());
            entry.margin = Some(margin.of(clocks.0).as_secs_f64());
            reply
        }
        failed => {
            shared.matches().remove_this(&id, &stop);
            failed.and_then(Result::err).map_or_else(panicked, Reply::bad)
        }
    }
}

/// How long a message waits for one that came before: what cannot have happened is soon refused.
const PATIENCE: Duration = Duration::from_millis(250);

async fn play(id: &str, news: News, arrived: Instant, shared: &Arc<Shared>) -> Reply {
    let found = shared.matches().heard(id);
    let Some((slot, clock)) = found else { return Reply::ok("busy").logged("play", id) };
    let patience = PATIENCE.min(clock / 4).saturating_sub(arrived.elapsed());
    let Ok(mut slot) = timeout(patience, slot.lock_owned()).await else {
        return Reply::bad(format!("match {id}: the last message is not answered yet"));
    };
    if slot.is_none() {
        return Reply::bad(format!("match {id}: START is not answered yet"));
    }
    let margin = shared.margin().clone();
    let deadlines = Deadlines::new(arrived, clock, &margin);
    let played = shared.work(None, move || Some(slot.as_mut()?.play(&news, deadlines))).await;
    shared.matches().answered(id);
    match played.flatten() {
        Some(Ok(answer)) => {
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
        Some(Err((own, fault))) if own => Reply::fault("500 Internal Server Error", fault),
        Some(Err((_, fault))) => Reply::bad(format!("match {id}: {fault}")),
        None => panicked(),
    }
}
