//! What may go wrong with an engine, as the exceptions of `saavedra.engine`.

use minds::{Fault, FaultKind};
use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;

mod python {
    #![allow(missing_docs, reason = "the exceptions are documented where they are defined, in Python")]
    pyo3::import_exception!(saavedra._failures, EngineError);
    pyo3::import_exception!(saavedra._failures, EngineBusyError);
    pyo3::import_exception!(saavedra._failures, EngineTerminatedError);
    pyo3::import_exception!(saavedra._failures, EngineTimeoutError);
}

pub(crate) use python::{EngineBusyError, EngineError, EngineTerminatedError, EngineTimeoutError};

/// Why an engine did not do what it was asked.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// It refuses, or answers what makes no sense, and can be asked something else.
    Refused(String),
    /// It did not answer in time, and was ended.
    Late(String),
    /// It is gone.
    Gone(String),
    /// Our own mistake.
    Defect(String),
}

impl Failure {
    /// Whether the engine cannot be used any more, and why.
    pub(super) fn ends_engine(&self) -> Option<&str> {
        match self {
            Failure::Refused(_) => None,
            Failure::Late(text) | Failure::Gone(text) | Failure::Defect(text) => Some(text),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        let text = fault.to_string();
        match fault.kind {
            FaultKind::TimedOut { .. } => Failure::Late(text),
            FaultKind::Crashed { .. } | FaultKind::DidNotStart { .. } => Failure::Gone(text),
            _ => Failure::Refused(text),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Refused(text) => EngineError::new_err(text),
            Failure::Late(text) => EngineTimeoutError::new_err(text),
            Failure::Gone(text) => EngineTerminatedError::new_err(text),
            Failure::Defect(text) => PyRuntimeError::new_err(text),
        }
    }
}
