//! Listening for many who connect at once.

use std::io;
use std::net::{SocketAddr, TcpListener};

/// How many connections wait at most until they are accepted; the system may allow fewer. Who finds no place is tried again by
/// its system after a second, which would be the whole clock of a move: the standard library's 128 are too few in a flood.
#[cfg(not(target_family = "wasm"))]
const WAITING: i32 = 4096;

/// Listens on an address, as [`TcpListener::bind`] does, with room for so many who connect at once that nobody is turned away.
///
/// # Errors
/// The address is taken or not of this machine.
#[cfg(not(target_family = "wasm"))]
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    use socket2::{Domain, Protocol, Socket, Type};
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // An address that was in use a moment ago can be had at once. On Windows it would be taken from who uses it.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(WAITING)?;
    Ok(socket.into())
}

/// There are no sockets: always an error.
///
/// # Errors
/// Always.
#[cfg(target_family = "wasm")]
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{Ipv4Addr, TcpStream};
    use std::time::Duration;

    use super::*;

    #[test]
    fn many_connect_at_once_before_anybody_is_accepted() {
        let allowed = std::fs::read_to_string("/proc/sys/net/core/somaxconn");
        let allowed: usize = allowed.expect("Linux tells").trim().parse().expect("a number");
        let listener = listen((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        let address = listener.local_addr().expect("it has one");
        let patience = Duration::from_secs(10);
        let connect = |_| TcpStream::connect_timeout(&address, patience);
        // More than the standard library has room for.
        let waiting: Result<Vec<TcpStream>, io::Error> =
            (0..allowed.min(300)).map(connect).collect();
        assert_eq!(waiting.map(|them| them.len()).ok(), Some(allowed.min(300)));
    }
}
