//! Where the time of a step goes, kernel by kernel.

use std::collections::BTreeMap;

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, CudaStream};

use crate::GpuError;

/// Moments on the GPU, each named after what ended there. There are none unless times are asked for.
#[derive(Default)]
pub(crate) struct Timings {
    events: Option<Vec<(&'static str, CudaEvent)>>,
}

impl Timings {
    /// Begins to take times.
    pub(crate) fn start(&mut self) {
        self.events = Some(Vec::new());
    }

    /// Notes that something ends here.
    pub(crate) fn note(&mut self, stream: &CudaStream, name: &'static str) -> Result<(), GpuError> {
        if let Some(events) = &mut self.events {
            let event = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
            events.push((name, event.map_err(GpuError::during("take the time"))?));
        }
        Ok(())
    }

    /// Ends the taking of times: the milliseconds of each part, added up.
    pub(crate) fn finish(&mut self) -> Result<BTreeMap<&'static str, f64>, GpuError> {
        let mut sums = BTreeMap::new();
        let events = self.events.take().unwrap_or_default();
        for pair in events.windows(2) {
            let [(_, before), (name, after)] = pair else { continue };
            let milliseconds = before.elapsed_ms(after).map_err(GpuError::during("take the time"))?;
            *sums.entry(*name).or_insert(0.0) += f64::from(milliseconds);
        }
        Ok(sums)
    }
}
