//! What GDL demands of rules (Love et al. 2008), a demand a file.
//!
//! Grounding refuses what breaks a demand that it relies on ([`roles`], [`heads`], [`safety`], the
//! [`lengths`](crate::rules::lengths) of rules, [`stratification`] of ground rules) and warns of [`keywords`] in places where no match can make sense of them; the
//! checker reports all. [`dependencies`] is the graph that most of them look at.

pub mod dependencies;
pub mod describe;
pub mod growth;
pub mod heads;
pub mod keywords;
pub mod recursion;
pub mod roles;
pub mod safety;
pub mod stratification;
