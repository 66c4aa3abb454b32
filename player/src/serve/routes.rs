//! Requests by path.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;
use tokio::sync::watch;

use super::answer::{Refusal, answer};
use super::requests::{
    GameRequest, Known, MOST_BODY, MOST_TEXT, MatchRequest, MoveRequest, TextRequest, read,
    within_size,
};
use super::shown_match::ShownMatch;
use super::{Shared, folder, games, guard, matches, page, view};
use crate::strategy::StrategyKind;

/// How long an answer waits for something new.
const WAIT: Duration = Duration::from_secs(20);

type Page = State<Arc<Shared>>;
type Body = Result<Bytes, BytesRejection>;
type Id = Result<Path<String>, PathRejection>;
type Seen = Result<Query<Known>, QueryRejection>;
type Answer = Result<Response, Refusal>;

/// All paths.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    let text = |uri: Uri| async move { page::file(uri.path()) };
    Router::new()
        .route("/api/games", get(all_games).post(open_game))
        .route("/api/games/{id}", get(game))
        .route("/api/check", post(check))
        .route("/api/matches", get(all_matches).post(begin))
        .route("/api/matches/{id}", get(one_match))
        .route("/api/matches/{id}/positions/{turn}", get(position))
        .route("/api/matches/{id}/moves", post(make))
        .route("/api/matches/{id}/abort", post(abort))
        .route("/api/matches/{id}/record", get(record))
        .fallback(text)
        .method_not_allowed_fallback(async || {
            Refusal::with(StatusCode::METHOD_NOT_ALLOWED, "this path has other methods")
        })
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

async fn all_games(State(shared): Page) -> Response {
    let strategies: Vec<&str> = StrategyKind::ALL.iter().map(|it| it.name()).collect();
    answer(&json!({
        "games": games::offered(&shared.options.games),
        "strategies": strategies,
        "most_text": MOST_TEXT,
        "watching": shared.options.watch.is_some(),
    }))
}

async fn check(State(shared): Page, body: Body) -> Answer {
    let TextRequest { text } = read(&body?)?;
    within_size(&text)?;
    let report = work(&shared, move |shared| {
        Ok(games::findings(&games::check(shared, "rules", text.as_bytes())))
    });
    Ok(answer(&report.await?))
}

async fn open_game(State(shared): Page, body: Body) -> Answer {
    let request: GameRequest = read(&body?)?;
    if let GameRequest::Text { text, .. } = &request {
        within_size(text)?;
    }
    let game = work(&shared, move |shared| games::open(shared, &request)).await?;
    Ok(answer(&game.view()))
}

async fn game(State(shared): Page, id: Id) -> Answer {
    let game = shared.games().get(&id?.0)?;
    let game = work(&shared, move |shared| games::reopen(shared, game)).await?;
    Ok(answer(&game.view()))
}

async fn all_matches(State(shared): Page, query: Seen) -> Answer {
    let Query(known) = query?;
    wait(shared.version.subscribe(), known.version).await;
    let version = *shared.version.borrow();
    let all = shared.matches().all().to_vec();
    let lines: Vec<_> = all.iter().rev().map(|it| view::line(it)).collect();
    Ok(answer(&json!({ "version": version, "matches": lines })))
}

async fn begin(State(shared): Page, body: Body) -> Answer {
    let request: MatchRequest = read(&body?)?;
    let game = shared.games().get(&request.game)?;
    // The host of an address is looked up, which may take its time.
    let begun = work(&shared, move |shared| matches::begin(shared, &game, &request));
    Ok(answer(&json!({ "id": begun.await?.id })))
}

async fn one_match(State(shared): Page, id: Id, query: Seen) -> Answer {
    let (shown, Query(known)) = (shared.matches().get(&id?.0)?, query?);
    shown.see();
    wait(shown.version.subscribe(), known.version).await;
    shown.see();
    with_game(&shared, &shown).await?;
    Ok(answer(&view::summary(&shown, known.from, known.role.as_deref())))
}

async fn position(
    State(shared): Page,
    path: Result<Path<(String, usize)>, PathRejection>,
    query: Seen,
) -> Answer {
    let Path((id, turn)) = path?;
    let (shown, Query(known)) = (shared.matches().get(&id)?, query?);
    shown.see();
    with_game(&shared, &shown).await?;
    let view = blocking(move || view::position(&shown, turn, known.role.as_deref())).await?;
    Ok(answer(&view))
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

async fn record(State(shared): Page, id: Id) -> Answer {
    let shown = shared.matches().get(&id?.0)?;
    let log = shown.log();
    let record = log.record.as_ref();
    let record =
        record.ok_or_else(|| Refusal::conflict("the match has no record before its end"))?;
    let attached = format!("attachment; filename=\"{}.json\"", shown.id);
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, attached),
    ];
    Ok((headers, format!("{}\n", record.to_json())).into_response())
}

/// Opens the game of a record that is looked at for the first time.
async fn with_game(shared: &Arc<Shared>, shown: &Arc<ShownMatch>) -> Result<(), Refusal> {
    if shown.game.get().is_some() {
        return Ok(());
    }
    let own = Arc::clone(shown);
    work(shared, move |shared| {
        folder::open_game(shared, &own);
        Ok(())
    })
    .await
}

/// Waits until a version is another than the one that is known.
async fn wait(mut version: watch::Receiver<u64>, known: Option<u64>) {
    if let Some(known) = known {
        let _ = tokio::time::timeout(WAIT, version.wait_for(|it| *it != known)).await;
    }
}

/// Does work on descriptions, not too much of it at once.
async fn work<T: Send + 'static>(
    shared: &Arc<Shared>,
    act: impl FnOnce(&Arc<Shared>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let permit = shared.work.acquire().await;
    permit.map_err(|_| Refusal::internal("the page is closed"))?.forget();
    let own = Arc::clone(shared);
    let result = blocking(move || {
        // The client may be gone: the permit is for as long as the work lasts.
        let _permit = Permit(&own);
        act(&own)
    });
    result.await
}

/// Gives a permit to work back.
struct Permit<'s>(&'s Shared);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.work.add_permits(1);
    }
}

async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(act).await;
    done.unwrap_or_else(|_| Err(Refusal::internal("this program has an error: please report it")))
}
