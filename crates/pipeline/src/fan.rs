//! Several waits at a time: where the store is apart, each question to it is a round trip.

use std::{
    iter,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use saidso_core::fault::{Code, Fault};

/// Waits at a time.
const AT_ONCE: usize = 16;

/// Does the work for each item, several at a time, in no order.
pub(crate) fn fan<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, Fault> + Sync,
) -> Result<Vec<R>, Fault> {
    if let [only] = items {
        return Ok(vec![work(only)?]);
    }
    let next = AtomicUsize::new(0);
    let take = || items.get(next.fetch_add(1, Ordering::Relaxed));
    let share = || iter::from_fn(take).map(&work).collect::<Result<Vec<R>, Fault>>();
    let shares: Vec<Result<Vec<R>, Fault>> = thread::scope(|threads| {
        let others: Vec<_> = (1..items.len().min(AT_ONCE)).map(|_| threads.spawn(share)).collect();
        let panicked = |_| Err(Fault::retry(Code::StoreUnavailable, "asked the store: a thread panicked"));
        let joined = others.into_iter().map(|other| other.join().unwrap_or_else(panicked));
        iter::once(share()).chain(joined).collect()
    });
    let mut all = Vec::with_capacity(items.len());
    for share in shares {
        all.extend(share?);
    }
    Ok(all)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed")]
mod tests {
    use super::*;

    #[test]
    fn each_item_once_and_any_fault_is_the_answer() {
        for count in [0, 1, 2, 100] {
            let items: Vec<u32> = (0..count).collect();
            let mut done = fan(&items, |item| Ok(*item)).unwrap();
            done.sort_unstable();
            assert_eq!(done, items);
        }
        let fault = Fault::retry(Code::Disk, "told so");
        let refused = fan(&[1, 2, 3, 4, 5], |item| if *item == 3 { Err(fault.clone()) } else { Ok(*item) });
        assert_eq!(refused, Err(fault));
    }
}
