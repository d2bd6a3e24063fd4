//! The unigram tokenizer: normalise code point by code point, mark spaces, and take the segmentation of highest score.

use std::{collections::HashMap, ops::Range};

use super::file::{BadFile, Reader};

/// Stands for a space inside pieces.
const SPACE_MARK: char = '\u{2581}';
/// An unknown character scores this much below the lowest piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// Pieces with scores, and the table that normalises text before it is cut into them.
pub(super) struct Tokenizer {
    blob: Vec<u8>,
    /// Piece `i` is `blob[offsets[i]..offsets[i + 1]]`.
    offsets: Vec<u32>,
    scores: Vec<f32>,
    /// Piece ids in the byte order of the pieces, so that a prefix is one range.
    sorted: Vec<u32>,
    replacements: HashMap<char, Box<[char]>>,
    begin: u32,
    end: u32,
    unknown: u32,
    unknown_score: f32,
}

/// The best way to reach a character boundary.
#[derive(Clone, Copy)]
struct Step {
    score: f32,
    piece: u32,
    from: usize,
}

impl Tokenizer {
    /// Reads section 2 of the file. Every id handed out later is below `vocabulary`.
    pub fn parse(reader: &mut Reader<'_>, vocabulary: usize) -> Result<Self, BadFile> {
        let pieces = reader.size()?;
        let (begin, end, pad, unknown) = (reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?);
        let specials_known = [begin, end, pad, unknown].iter().all(|id| (*id as usize) < pieces);
        if pieces > vocabulary || !specials_known {
            return Err(BadFile::new(format!(
                "special ids {begin}, {end}, {pad}, {unknown} or {pieces} pieces do not fit a vocabulary of {vocabulary}"
            )));
        }
        let blob_len = reader.u64()?;
        let word = |b: &[u8]| [b[0], b[1], b[2], b[3]];
        let offsets: Vec<u32> = reader.take_items(pieces + 1, 4)?.map(|b| u32::from_le_bytes(word(b))).collect();
        let scores: Vec<f32> = reader.take_items(pieces, 4)?.map(|b| f32::from_le_bytes(word(b))).collect();
        let blob_len = usize::try_from(blob_len).map_err(|_| BadFile::new("the pieces are too large to address"))?;
        let blob = reader.take(blob_len)?.to_vec();
        let ordered = offsets.is_sorted() && offsets[0] == 0 && offsets[pieces] as usize == blob_len;
        let utf8 =
            ordered && offsets.windows(2).all(|o| std::str::from_utf8(&blob[o[0] as usize..o[1] as usize]).is_ok());
        if !utf8 || !scores.iter().all(|s| s.is_finite()) {
            return Err(BadFile::new(
                "the table of pieces is not in order, not UTF-8 or has a score that is no number",
            ));
        }
        let lowest = scores.iter().copied().fold(f32::INFINITY, f32::min);
        let mut tokenizer = Self {
            blob,
            offsets,
            scores,
            sorted: (0..pieces as u32).collect(),
            replacements: replacements(reader)?,
            begin,
            end,
            unknown,
            unknown_score: lowest - UNKNOWN_PENALTY,
        };
        let mut sorted = std::mem::take(&mut tokenizer.sorted);
        // By piece, then by id: of equal pieces the first counts.
        sorted.sort_by(|a, b| tokenizer.piece(*a).cmp(tokenizer.piece(*b)).then(a.cmp(b)));
        tokenizer.sorted = sorted;
        Ok(tokenizer)
    }

    /// The windows of a text: each at most `limit` pieces between begin and end. There is always at least one.
    pub fn windows(&self, prefix: &str, text: &str, limit: usize) -> Vec<Vec<u32>> {
        let pieces = self.pieces(prefix, text);
        let window = |part: &[u32]| {
            let mut ids = Vec::with_capacity(part.len() + 2);
            ids.push(self.begin);
            ids.extend_from_slice(part);
            ids.push(self.end);
            ids
        };
        if pieces.is_empty() { vec![window(&[])] } else { pieces.chunks(limit).map(window).collect() }
    }

    /// The segmentation of highest score; on a tie the longer last piece.
    fn pieces(&self, prefix: &str, text: &str) -> Vec<u32> {
        let text = self.normalise(prefix, text);
        let bytes = text.as_bytes();
        const UNREACHED: Step = Step { score: f32::NEG_INFINITY, piece: 0, from: 0 };
        let mut best = vec![UNREACHED; bytes.len() + 1];
        best[0].score = 0.0;
        for (start, character) in text.char_indices() {
            let reached = best[start].score;
            let mut offer = |end: usize, piece: u32, score: f32| {
                if reached + score > best[end].score {
                    best[end] = Step { score: reached + score, piece, from: start };
                }
            };
            self.prefixes(&bytes[start..], |len, piece| {
                if piece != self.unknown {
                    offer(start + len, piece, self.scores[piece as usize]);
                }
            });
            offer(start + character.len_utf8(), self.unknown, self.unknown_score);
        }
        let mut ids = Vec::new();
        let mut at = bytes.len();
        while at > 0 {
            ids.push(best[at].piece);
            at = best[at].from;
        }
        ids.reverse();
        ids
    }

    /// Prefix and text through the table, runs of spaces as one, every space as the mark, and one mark in front.
    fn normalise(&self, prefix: &str, text: &str) -> String {
        let mut out = String::with_capacity(prefix.len() + text.len() + 8);
        let mut after_space = false;
        let mut push = |c: char| {
            if out.is_empty() && c != ' ' {
                out.push(SPACE_MARK);
            }
            if c != ' ' {
                out.push(c);
            } else if !after_space {
                out.push(SPACE_MARK);
            }
            after_space = c == ' ';
        };
        for c in prefix.chars().chain(text.chars()) {
            match self.replacements.get(&c) {
                Some(replacement) => replacement.iter().copied().for_each(&mut push),
                None => push(c),
            }
        }
        if out.is_empty() {
            out.push(SPACE_MARK);
        }
        out
    }

    /// Calls back with the length and id of every piece that `text` starts with, shortest first.
    fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let mut range = 0..self.sorted.len();
        for (depth, byte) in text.iter().enumerate() {
            range = self.narrow(range, depth, *byte);
            let Some(first) = self.sorted.get(range.start).filter(|_| !range.is_empty()) else { return };
            if self.piece(*first).len() == depth + 1 {
                found(depth + 1, *first);
            }
        }
    }

    /// Of pieces that agree up to `depth`, those whose next byte is `byte`.
    fn narrow(&self, range: Range<usize>, depth: usize, byte: u8) -> Range<usize> {
        let next = |id: &u32| self.piece(*id).get(depth).copied();
        let sorted = &self.sorted[range.clone()];
        let start = sorted.partition_point(|id| next(id) < Some(byte));
        let len = sorted[start..].partition_point(|id| next(id) == Some(byte));
        range.start + start..range.start + start + len
    }

    fn piece(&self, id: u32) -> &[u8] {
        let id = id as usize;
        &self.blob[self.offsets[id] as usize..self.offsets[id + 1] as usize]
    }
}

fn replacements(reader: &mut Reader<'_>) -> Result<HashMap<char, Box<[char]>>, BadFile> {
    let entries = reader.size()?;
    let bytes = reader.size()?;
    let start = reader.at();
    let mut table = HashMap::new();
    let scalar = |code: u32| {
        char::from_u32(code)
            .ok_or_else(|| BadFile::new(format!("the normaliser names {code:#x}, which is no character")))
    };
    for _ in 0..entries {
        let from = scalar(reader.u32()?)?;
        let count = usize::from(reader.u8()?);
        let to = (0..count).map(|_| scalar(reader.u32()?)).collect::<Result<Box<[char]>, _>>()?;
        if table.insert(from, to).is_some() {
            return Err(BadFile::new(format!("the normaliser names {:#x} twice", u32::from(from))));
        }
    }
    let used = reader.at() - start;
    if used != bytes {
        return Err(BadFile::new(format!("the normaliser table takes {used} bytes, its header says {bytes}")));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids 0 to 3 are begin, end, pad and unknown; the given pieces follow.
    fn tokenizer(pieces: &[(&str, f32)]) -> Tokenizer {
        let mut all = vec![("<s>", 0.0), ("</s>", 0.0), ("<pad>", 0.0), ("<unk>", 0.0)];
        all.extend(pieces);
        let mut bytes = Vec::new();
        bytes.extend([all.len() as u32, 0, 1, 2, 3].iter().flat_map(|x| x.to_le_bytes()));
        let blob: String = all.iter().map(|(piece, _)| *piece).collect();
        bytes.extend((blob.len() as u64).to_le_bytes());
        let mut end = 0u32;
        bytes.extend(end.to_le_bytes());
        for (piece, _) in &all {
            end += piece.len() as u32;
            bytes.extend(end.to_le_bytes());
        }
        bytes.extend(all.iter().flat_map(|(_, score)| score.to_le_bytes()));
        bytes.extend(blob.as_bytes());
        bytes.extend([0; 8]);
        Tokenizer::parse(&mut Reader::new(&bytes), all.len()).unwrap()
    }

    fn pieces(tokenizer: &Tokenizer, text: &str) -> Vec<u32> {
        tokenizer.pieces("", text)
    }

    #[test]
    fn the_highest_score_wins_not_the_longest_piece() {
        let letters = [("\u{2581}", -1.0), ("a", -1.0), ("b", -1.0), ("c", -1.0)];
        let with = |more: &[(&'static str, f32)]| tokenizer(&[&letters[..], more].concat());
        assert_eq!(pieces(&with(&[("ab", -1.5)]), "abc"), [4, 8, 7]);
        assert_eq!(pieces(&with(&[("ab", -2.5)]), "abc"), [4, 5, 6, 7]);
        assert_eq!(pieces(&with(&[("ab", -1.5), ("bc", -0.5)]), "abc"), [4, 5, 9]);
        assert_eq!(pieces(&with(&[("\u{2581}abc", -9.0)]), "abc"), [4, 5, 6, 7]);
        assert_eq!(pieces(&with(&[("\u{2581}abc", -3.5)]), "abc"), [8]);
    }

    #[test]
    fn on_a_tie_the_last_piece_is_the_longer_one() {
        let tied = tokenizer(&[("\u{2581}", -1.0), ("a", -1.0), ("b", -1.0), ("ab", -2.0)]);
        assert_eq!(pieces(&tied, "ab"), [4, 7]);
    }

    #[test]
    fn unknown_characters_are_unknown_one_by_one() {
        let tokenizer = tokenizer(&[("\u{2581}", -1.0), ("a", -1.0)]);
        assert_eq!(pieces(&tokenizer, "aжa字"), [4, 5, 3, 5, 3]);
        // The unknown piece's own spelling is text like any other; those of the other specials are pieces.
        assert_eq!(pieces(&tokenizer, "<unk>"), [4, 3, 3, 3, 3, 3]);
        assert_eq!(pieces(&tokenizer, "</s>"), [4, 1]);
    }

    #[test]
    fn windows_hold_all_pieces_in_order() {
        let tokenizer = tokenizer(&[("\u{2581}", -1.0), ("a", -1.0)]);
        assert_eq!(tokenizer.windows("", "", 3), [[0, 4, 1]]);
        assert_eq!(tokenizer.windows("", "aa", 3), [[0, 4, 5, 5, 1]]);
        assert_eq!(tokenizer.windows("a", "aa", 3), [vec![0, 4, 5, 5, 1], vec![0, 5, 1]]);
    }
}
