//! Asking a player.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::str::FromStr;
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
use tokio::{io::AsyncWriteExt, net::TcpStream, time::timeout};

use super::http::HttpError;
#[cfg(not(target_family = "wasm"))]
use super::http::{ReadLimits, read_answer, request_text};

/// How long connecting may take.
#[cfg(not(target_family = "wasm"))]
const CONNECT: Duration = Duration::from_secs(5);
/// Bytes that an answer may have, if nothing else is set.
const MOST: usize = 64 << 10;
/// The port of players that name none.
const PORT: u16 = 9147;

/// Where a player listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Name or number of the host, and the port.
    host: String,
    path: String,
    found: Vec<SocketAddr>,
    /// Bytes that an answer may have.
    most: usize,
}

/// Why a player has not answered.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address is none.
    #[error("`{0}` is no address: expected `http://HOST:PORT`")]
    Address(String),
    /// Nobody has that name.
    #[error("`{host}` is not found: {cause}")]
    Host {
        /// The name.
        host: String,
        /// What the system says.
        cause: io::Error,
    },
    /// There was no answer in time.
    #[error("no answer in time")]
    Late,
    /// Nobody listens there.
    #[error("no connection: {0}")]
    Connect(io::Error),
    /// The answer is none.
    #[error(transparent)]
    Http(HttpError),
}

impl ClientError {
    /// What has happened, without anything that the other side has sent but its status.
    pub fn without_answer(&self) -> String {
        match self {
            ClientError::Http(HttpError::Status { status, .. }) => {
                format!("the answer has status {status}")
            }
            ClientError::Http(_) => "the answer cannot be read".to_owned(),
            other => other.to_string(),
        }
    }
}

impl FromStr for Address {
    type Err = ClientError;

    /// Reads `http://host:port/path`; scheme, port and path may be left out. The host is looked up here, once.
    fn from_str(text: &str) -> Result<Self, ClientError> {
        let wrong = || ClientError::Address(text.to_owned());
        let rest = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some(_) => return Err(wrong()),
            None => text,
        };
        let (host, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, "/"),
        };
        let plain = |it: &str| it.chars().all(|it| it.is_ascii_graphic());
        if host.is_empty() || !plain(host) || !plain(path) {
            return Err(wrong());
        }
        // An IPv6 address has colons of its own, within brackets.
        let port = host.rsplit_once(':').filter(|(_, port)| !port.contains(']'));
        let host = match port {
            Some((name, port)) if !name.is_empty() && port.parse::<u16>().is_ok() => {
                host.to_owned()
            }
            Some(_) => return Err(wrong()),
            None => format!("{host}:{PORT}"),
        };
        let found = host
            .to_socket_addrs()
            .map_err(|cause| ClientError::Host { host: host.clone(), cause })?;
        let found: Vec<SocketAddr> = found.collect();
        if found.is_empty() {
            return Err(wrong());
        }
        Ok(Address { host, path: path.to_owned(), found, most: MOST })
    }
}

impl Display for Address {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "http://{}{}", self.host, self.path)
    }
}

impl Address {
    /// The same address, with answers of so many bytes at most.
    #[must_use]
    pub fn with_longest_answer(self, most: usize) -> Self {
        Address { most, ..self }
    }

    /// Sends a message and returns the answer, which must be there within `time` of the beginning: connecting counts.
    ///
    /// # Errors
    /// Nobody listens, there is no answer in time, or it is no answer.
    #[cfg(not(target_family = "wasm"))]
    pub fn ask(
        &self,
        receiver: &str,
        message: &str,
        time: Duration,
    ) -> Result<String, ClientError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(ClientError::Connect)?;
        runtime.block_on(async {
            timeout(time, self.exchange(receiver, message)).await.unwrap_or(Err(ClientError::Late))
        })
    }

    /// There are no sockets: always an error.
    ///
    /// # Errors
    /// Always.
    #[cfg(target_family = "wasm")]
    pub fn ask(&self, _: &str, _: &str, _: Duration) -> Result<String, ClientError> {
        Err(ClientError::Connect(io::ErrorKind::Unsupported.into()))
    }

    #[cfg(not(target_family = "wasm"))]
    async fn exchange(&self, receiver: &str, message: &str) -> Result<String, ClientError> {
        let mut stream = self.connect().await?;
        // Small messages are not to wait for others.
        let _ = stream.set_nodelay(true);
        let request = request_text(&self.host, &self.path, receiver, message);
        let written = stream.write_all(request.as_bytes()).await;
        written.map_err(|error| ClientError::Http(error.into()))?;
        let limits = ReadLimits { most: self.most, has_room: &|_| true };
        read_answer(&mut stream, &limits).await.map_err(ClientError::Http)
    }

    #[cfg(not(target_family = "wasm"))]
    async fn connect(&self) -> Result<TcpStream, ClientError> {
        let mut last = ClientError::Late;
        for address in &self.found {
            match timeout(CONNECT, TcpStream::connect(address)).await.map_err(io::Error::from) {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) | Err(error) => last = ClientError::Connect(error),
            }
        }
        Err(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let read = |text: &str| text.parse::<Address>().map(|it| it.to_string());
        for text in ["http://127.0.0.1:9147", "127.0.0.1:9147/", "127.0.0.1", "HTTP://127.0.0.1"] {
            assert_eq!(read(text).expect(text), "http://127.0.0.1:9147/");
        }
        assert_eq!(read("http://[::1]:9000/a").expect("IPv6"), "http://[::1]:9000/a");
        assert_eq!(read("http://[::1]").expect("IPv6"), "http://[::1]:9147/");
        for text in
            ["", "https://127.0.0.1", "http://", "127.0.0.1:x", ":9147", "a b", "127.0.0.1:99999"]
        {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains("is no address"), "{text}: {error}");
        }
    }
}
