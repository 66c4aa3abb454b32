//! Requests by path.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Extension, Path, Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;
use tokio::sync::{AcquireError, watch};

use super::advice::knowledge;
use super::answer::*;
use super::connections::{Errand, Peer};
use super::game::{self as games, OpenGame};
use super::shown_match::ShownMatch;
use super::{Shared, advice, folder, guard, matches, view};
use groundfrog_player::StrategyKind;

/// How long an answer waits for something new.
const WAIT: Duration = Duration::from_secs(20);
/// How long a request waits for its turn. Then it is told that there is too much to do.
const PATIENCE: Duration = Duration::from_secs(10);

type Page = State<Arc<Shared>>;
type Body = Result<Bytes, BytesRejection>;
type Who = Extension<Peer>;
type Id = Result<Path<String>, PathRejection>;
type Seen = Result<Query<SeenVersion>, QueryRejection>;
type Answer = Result<Response, Refusal>;

/// All paths.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    let text = |uri: Uri| async move { guard::file(uri.path()) };
    Router::new()
        .route("/api/games", get(all_games).post(open_game))
        .route("/api/games/{id}", get(game))
        .route("/api/games/{id}/outline", get(outline))
        .route("/api/games/{id}/rules", get(rules))
        .route("/api/games/{id}/knowledge", get(known))
        .route("/api/pictures", get(picture))
        .route("/api/check", post(check))
        .route("/api/matches", get(all_matches).post(begin))
        .route("/api/matches/{id}", get(one_match))
        .route("/api/matches/{id}/positions/{turn}", get(position))
        .route("/api/matches/{id}/moves", post(make))
        .route("/api/matches/{id}/abort", post(abort))
        .route("/api/matches/{id}/undo", post(undo))
        .route("/api/matches/{id}/hint", post(hint))
        .route("/api/matches/{id}/record", get(record))
        .fallback(text)
        .method_not_allowed_fallback(async || {
            Refusal::with(StatusCode::METHOD_NOT_ALLOWED, "this path has other methods")
        })
        // Bodies are read, and limited, by the guard.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

async fn all_games(State(shared): Page) -> Response {
    let strategies: Vec<&str> = StrategyKind::ALL.iter().map(|it| it.name()).collect();
    answer(&json!({
        "games": games::offered(&shared.options.games),
        "strategies": strategies,
        "most_text": most_text(&shared),
        "watching": shared.options.watch.is_some(),
    }))
}

/// Bytes that a description may have.
fn most_text(shared: &Shared) -> usize {
    shared.options.most_bytes / 4
}

async fn check(State(shared): Page, Extension(Peer(peer)): Who, body: Body) -> Answer {
    let body = body?;
    let most = most_text(&shared);
    let text = view_of(&shared, move |_| {
        let TextRequest { text } = read(&body)?;
        within_size(&text, most)?;
        Ok(text)
    });
    let text = text.await?;
    work(&shared, Errand::new(peer, text.as_bytes(), true), move |shared| {
        let end = Instant::now() + shared.options.open_time;
        let report = games::check(shared, "rules", text.as_bytes(), end);
        large_answer(shared, &games::findings(&report))
    })
    .await
}

async fn open_game(State(shared): Page, Extension(Peer(peer)): Who, body: Body) -> Answer {
    let body = body?;
    let most = most_text(&shared);
    let request = view_of(&shared, move |_| {
        let request: GameRequest = read(&body)?;
        if let GameRequest::Text { text, .. } = &request {
            within_size(text, most)?;
        }
        Ok(request)
    });
    let request = request.await?;
    let errand = match &request {
        GameRequest::Offered { name } => Errand::new(peer, name.as_bytes(), false),
        GameRequest::Text { text, .. } => Errand::new(peer, text.as_bytes(), true),
    };
    work(&shared, errand, move |shared| {
        let game = games::open(shared, &request)?;
        // How it is drawn is found out while the page shows what is known already.
        let (own, drawn) = (Arc::clone(shared), Arc::clone(&game));
        tokio::runtime::Handle::current().spawn(async move { lay_out(&own, peer, drawn).await });
        large_answer(shared, &game.outline())
    })
    .await
}

/// Work on a game that is open.
fn errand(peer: IpAddr, game: &OpenGame) -> Errand {
    match game.is_offered {
        true => Errand::new(peer, game.title.as_bytes(), false),
        false => Errand::new(peer, game.description.source.as_bytes(), true),
    }
}

/// Finds out how a game is drawn.
async fn lay_out(shared: &Arc<Shared>, peer: IpAddr, game: Arc<OpenGame>) -> Result<(), Refusal> {
    if game.is_laid_out() {
        return Ok(());
    }
    work(shared, errand(peer, &game), move |_| {
        game.lay_out();
        Ok(())
    })
    .await
}

/// What is known of a game at once.
async fn outline(State(shared): Page, Extension(Peer(peer)): Who, id: Id) -> Answer {
    let game = shared.games().get(&id?.0)?;
    let errand = errand(peer, &game);
    let reopened = work(&shared, errand, move |shared| games::reopen(shared, game)).await?;
    large_answer(&shared, &reopened.outline())
}

async fn game(State(shared): Page, Extension(Peer(peer)): Who, id: Id) -> Answer {
    let game = shared.games().get(&id?.0)?;
    let errand = errand(peer, &game);
    work(&shared, errand, move |shared| large_answer(shared, &games::reopen(shared, game)?.view()))
        .await
}

/// The rules of a game that is open, as they were read.
async fn rules(State(shared): Page, id: Id) -> Answer {
    let game = shared.games().get(&id?.0)?;
    let rules = json!({ "title": game.title, "text": &*game.description.source });
    large_answer(&shared, &rules)
}

/// What is known of a game that is open.
async fn known(State(shared): Page, Extension(Peer(peer)): Who, id: Id) -> Answer {
    let game = shared.games().get(&id?.0)?;
    let errand = errand(peer, &game);
    work(&shared, errand, move |shared| large_answer(shared, &game.knowledge())).await
}

/// The first state of a game that is offered. One at a time: these are not what persons wait for.
async fn picture(
    State(shared): Page,
    query: Result<Query<PictureRequest>, QueryRejection>,
) -> Answer {
    let Query(PictureRequest { name }) = query?;
    let turn = in_time(PATIENCE, Arc::clone(&shared.pictures.turn).acquire_owned()).await?;
    in_thread(turn, &shared, move |shared| large_answer(shared, &*games::picture(shared, &name)?))
        .await
}

async fn all_matches(State(shared): Page, query: Seen) -> Answer {
    let Query(known) = query?;
    wait(shared.version.subscribe(), known.version).await;
    view_of(&shared, |shared| {
        let version = *shared.version.borrow();
        let all = shared.matches().all().to_vec();
        let lines: Vec<_> = all.iter().rev().filter_map(|it| view::line(it)).collect();
        large_answer(shared, &json!({ "version": version, "matches": lines }))
    })
    .await
}

async fn begin(State(shared): Page, Extension(Peer(peer)): Who, body: Body) -> Answer {
    let body = body?;
    // The host of an address is looked up, which may take its time.
    work(&shared, Errand::new(peer, &body, false), move |shared| {
        let request: MatchRequest = read(&body)?;
        let game = shared.games().get(&request.game)?;
        Ok(answer(&json!({ "id": matches::begin(shared, &game, &request, Vec::new())?.id })))
    })
    .await
}

async fn one_match(State(shared): Page, Extension(Peer(peer)): Who, id: Id, query: Seen) -> Answer {
    let (shown, Query(known)) = (shared.matches().get(&id?.0)?, query?);
    shown.see();
    wait(shown.version.subscribe(), known.version).await;
    shown.see();
    with_game(&shared, peer, &shown).await?;
    view_of(&shared, move |shared| {
        large_answer(shared, &view::summary(&shown, known.from, known.role.as_deref()))
    })
    .await
}

async fn position(
    State(shared): Page,
    Extension(Peer(peer)): Who,
    path: Result<Path<(String, usize)>, PathRejection>,
    query: Seen,
) -> Answer {
    let Path((id, turn)) = path?;
    let (shown, Query(known)) = (shared.matches().get(&id)?, query?);
    shown.see();
    with_game(&shared, peer, &shown).await?;
    let seat = shown.hidden_seat(known.role.as_deref());
    let knowledge = match (seat, shown.game()) {
        (Some(seat), Some(game)) => {
            let own = Arc::clone(&shown);
            let known = move |shared: &Arc<Shared>| Ok(knowledge(shared, &own, seat, turn));
            Some(work(&shared, errand(peer, game), known).await?)
        }
        _ => None,
    };
    view_of(&shared, move |shared| {
        large_answer(shared, &view::position(&shown, turn, known.role.as_deref(), knowledge)?)
    })
    .await
}

async fn make(State(shared): Page, id: Id, body: Body) -> Answer {
    let shown = shared.matches().get(&id?.0)?;
    shown.see();
    let MoveRequest { role, turn, action } = read(&body?)?;
    shown.make(&role, turn, &action)?;
    Ok(answer(&json!({})))
}

async fn abort(State(shared): Page, id: Id) -> Answer {
    shared.matches().get(&id?.0)?.abort();
    Ok(answer(&json!({})))
}

async fn undo(State(shared): Page, id: Id) -> Answer {
    let shown = shared.matches().get(&id?.0)?;
    let next = advice::undo(&shared, &shown)?;
    Ok(answer(&json!({ "id": next.id })))
}

async fn hint(State(shared): Page, Extension(Peer(peer)): Who, id: Id, body: Body) -> Answer {
    let shown = shared.matches().get(&id?.0)?;
    shown.see();
    let HintRequest { role, turn } = read(&body?)?;
    let errand = match shown.game() {
        Some(game) => errand(peer, game),
        None => return Err(Refusal::conflict("the match is not played here")),
    };
    work(&shared, errand, move |shared| {
        let found = advice::hint(shared, &shown, &role, turn)?;
        let told = json!({ "move": found.action, "value": found.value, "proven": found.proven });
        Ok(answer(&told))
    })
    .await
}

async fn record(State(shared): Page, id: Id) -> Answer {
    let shown = shared.matches().get(&id?.0)?;
    view_of(&shared, move |shared| {
        let record = shown.log().record.clone();
        let record =
            record.ok_or_else(|| Refusal::conflict("the match has no record before its end"))?;
        let attached = format!("attachment; filename=\"{}.json\"", shown.id);
        let headers = [
            (header::CONTENT_TYPE, "application/json".to_owned()),
            (header::CONTENT_DISPOSITION, attached),
        ];
        let text = format!("{}\n", record.to_json());
        Ok((headers, kept(shared, text.into_bytes())?).into_response())
    })
    .await
}

/// Opens the game of a record that is looked at for the first time, and finds out how it is drawn.
async fn with_game(
    shared: &Arc<Shared>,
    peer: IpAddr,
    shown: &Arc<ShownMatch>,
) -> Result<(), Refusal> {
    if shown.game.get().is_none() {
        let own = Arc::clone(shown);
        let open = move |shared: &Arc<Shared>| {
            folder::open_game(shared, &own);
            Ok(())
        };
        work(shared, Errand::new(peer, shown.title.as_bytes(), false), open).await?;
    }
    match shown.game() {
        Some(game) => lay_out(shared, peer, Arc::clone(game)).await,
        None => Ok(()),
    }
}

/// Waits until a version is another than the one that is known.
async fn wait(mut version: watch::Receiver<u64>, known: Option<u64>) {
    if let Some(known) = known {
        let _ = tokio::time::timeout(WAIT, version.wait_for(|it| *it != known)).await;
    }
}

/// Does work on descriptions, not too much of it at once. Whose turn it is behind a text that takes all of its time waits for longer
/// than that.
async fn work<T: Send + 'static>(
    shared: &Arc<Shared>,
    errand: Errand,
    act: impl FnOnce(&Arc<Shared>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let patience = shared.options.open_time + PATIENCE;
    let place = in_time(patience, shared.work.enter(errand)).await?;
    in_thread(place, shared, act).await
}

/// Makes an answer, not too many of them at once, and never in the thread that serves all.
async fn view_of<T: Send + 'static>(
    shared: &Arc<Shared>,
    act: impl FnOnce(&Arc<Shared>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let permit = in_time(PATIENCE, Arc::clone(&shared.views).acquire_owned()).await?;
    in_thread(permit, shared, act).await
}

/// Waits for a permit, for so long at most.
async fn in_time<P>(
    patience: Duration,
    permit: impl Future<Output = Result<P, AcquireError>>,
) -> Result<P, Refusal> {
    let busy = |_| Refusal::busy("this page has too much to do: try again");
    let permit = tokio::time::timeout(patience, permit).await.map_err(busy)?;
    permit.map_err(|_| Refusal::internal("the page is closed"))
}

/// Does something in a thread of its own.
async fn in_thread<T: Send + 'static>(
    permit: impl Send + 'static,
    shared: &Arc<Shared>,
    act: impl FnOnce(&Arc<Shared>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let own = Arc::clone(shared);
    let act = move || {
        // The client may be gone: the permit is for as long as the work lasts.
        let _permit = permit;
        act(&own)
    };
    let done = tokio::task::spawn_blocking(act).await;
    done.unwrap_or_else(|_| Err(Refusal::internal("this program has an error: please report it")))
}
