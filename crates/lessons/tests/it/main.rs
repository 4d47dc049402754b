//! What the lessons promise.

mod exchanges;
