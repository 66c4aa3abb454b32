//! rtGDL and MSL: their models, the network, translation, and the page about them.

mod documents;
mod market;
mod realtime;
