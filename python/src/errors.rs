//! The exceptions of the package. All of them are `ValueError`s, as in python-chess, and say what was wrong.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(saavedra, InvalidMoveError, PyValueError, "The text is not a move.");
create_exception!(saavedra, IllegalMoveError, PyValueError, "The move is not legal in the position.");
create_exception!(saavedra, AmbiguousMoveError, PyValueError, "Several legal moves could be meant.");
create_exception!(saavedra, IllegalPositionError, PyValueError, "The position cannot be reached or played.");
create_exception!(saavedra, PgnError, PyValueError, "A game or a file of games cannot be read.");
create_exception!(saavedra, DamagedFileError, PyValueError, "A file of training games is damaged, or is none.");
