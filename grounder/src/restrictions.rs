//! What GDL demands of rules (Love et al. 2008), a demand a file.
//!
//! Grounding refuses what breaks a demand that it relies on ([`keywords::roles`], [`keywords::heads`], [`safety`], the
//! [length](crate::rules::too_long) of rules, [`stratification`] of ground rules) and warns of [`keywords`] in places where no
//! match can make sense of them; the checker reports all. [`dependencies`] is the graph that most of them look at.

pub mod dependencies;
pub mod growth;
pub mod keywords;
pub mod recursion;
pub mod safety;
pub mod stratification;
