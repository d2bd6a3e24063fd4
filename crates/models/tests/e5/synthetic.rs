//! Writes small weights files: the real format, random weights, and any field that a test wants wrong.

/// A file before it is laid out. Every field may be changed; nothing is checked.
pub struct Synthetic {
    pub version: u32,
    pub hidden: u32,
    pub layers: u32,
    pub heads: u32,
    pub feed_forward: u32,
    pub vocabulary: u32,
    pub max_positions: u32,
    pub types: u32,
    pub epsilon: f32,
    pub block: u32,
    /// Begin, end, pad, unknown.
    pub specials: [u32; 4],
    pub pieces: Vec<(Vec<u8>, f32)>,
    /// Added to the normaliser table's length in the header.
    pub table_slack: u32,
    pub replacements: Vec<(u32, Vec<u32>)>,
    pub tensors: Vec<Tensor>,
}

/// A tensor with its directory entry.
pub struct Tensor {
    pub name: Vec<u8>,
    pub kind: u8,
    pub elements: u32,
    pub bytes: Vec<u8>,
    /// Added to the true offset in the directory.
    pub shift: i64,
    /// Added to the true length in the directory.
    pub slack: i64,
}

/// xorshift64*; the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// In −1 … 1.
    fn float(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

impl Synthetic {
    /// A good file. Its pieces know the letters a to h, a few pairs and the words "ab" and "cd".
    pub fn new(hidden: u32, layers: u32, feed_forward: u32) -> Self {
        let mut pieces: Vec<(String, f32)> = ["<s>", "<pad>", "</s>", "<unk>"].map(|p| (p.to_owned(), 0.0)).into();
        pieces.extend(["\u{2581}", "ab", "cd", "\u{2581}ab", "\u{2581}cd", ":"].map(|p| (p.to_owned(), -2.0)));
        pieces.extend(('a'..='h').map(|c| (c.to_string(), -3.0)));
        let pieces: Vec<(Vec<u8>, f32)> = pieces.into_iter().map(|(p, s)| (p.into_bytes(), s)).collect();
        let mut file = Self {
            version: 1,
            hidden,
            layers,
            heads: hidden / 16,
            feed_forward,
            vocabulary: pieces.len() as u32 + 2,
            max_positions: 16,
            types: 2,
            epsilon: 1e-12,
            block: 32,
            specials: [0, 2, 1, 3],
            pieces,
            table_slack: 0,
            replacements: vec![
                ('A' as u32, vec!['a' as u32]),
                ('Z' as u32, vec![' ' as u32, 'a' as u32, 'b' as u32]),
                (0x200b, vec![]),
            ],
            tensors: Vec::new(),
        };
        file.fill();
        file
    }

    fn fill(&mut self) {
        let mut random = Random(7);
        let (h, f) = (self.hidden, self.feed_forward);
        let tensors = &mut self.tensors;
        let mut add = |name: String, four_bit: bool, elements: u32| {
            let mut bytes = Vec::new();
            if four_bit {
                for _ in 0..elements / 32 {
                    // Scales about 2^-6 to 2^-5, as half-precision bits.
                    bytes.extend_from_slice(&(0x2400 + (random.next() >> 54) as u16).to_le_bytes());
                    bytes.extend((0..16).map(|_| (random.next() >> 56) as u8));
                }
            } else {
                let unit = if name.ends_with("ln.w") { 1.0 } else { 0.0 };
                bytes.extend((0..elements).flat_map(|_| (unit + random.float() / 8.0).to_le_bytes()));
            }
            let kind = u8::from(four_bit);
            tensors.push(Tensor { name: name.into_bytes(), kind, elements, bytes, shift: 0, slack: 0 });
        };
        add("emb.word".into(), true, self.vocabulary * h);
        add("emb.pos".into(), false, self.max_positions * h);
        add("emb.type".into(), false, self.types * h);
        add("emb.ln.w".into(), false, h);
        add("emb.ln.b".into(), false, h);
        for l in 0..self.layers {
            for (name, outputs, inputs) in
                [("q", h, h), ("k", h, h), ("v", h, h), ("ao", h, h), ("fi", f, h), ("fo", h, f)]
            {
                add(format!("l{l}.{name}.w"), true, outputs * inputs);
                add(format!("l{l}.{name}.b"), false, outputs);
            }
            for norm in ["aln", "oln"] {
                add(format!("l{l}.{norm}.w"), false, h);
                add(format!("l{l}.{norm}.b"), false, h);
            }
        }
    }

    /// The tensor of that name.
    pub fn tensor(&mut self, name: &str) -> &mut Tensor {
        self.tensors.iter_mut().find(|t| t.name == name.as_bytes()).expect("a tensor of that name")
    }

    /// Everything before the tensors' own bytes.
    pub fn head_len(&self) -> usize {
        self.head(&vec![0; self.tensors.len()]).len()
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut at = self.head_len();
        let mut offsets = Vec::new();
        for tensor in &self.tensors {
            at = at.next_multiple_of(64);
            offsets.push(at as u64);
            at += tensor.bytes.len();
        }
        let mut out = self.head(&offsets);
        for (tensor, offset) in self.tensors.iter().zip(&offsets) {
            out.resize(*offset as usize, 0);
            out.extend_from_slice(&tensor.bytes);
        }
        out
    }

    fn head(&self, offsets: &[u64]) -> Vec<u8> {
        let mut out = b"E5S1".to_vec();
        let u32s = |values: &[u32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        out.extend(u32s(&[self.version, self.hidden, self.layers, self.heads, self.feed_forward]));
        out.extend(u32s(&[self.vocabulary, self.max_positions, self.types]));
        out.extend(self.epsilon.to_le_bytes());
        out.extend(u32s(&[self.block, self.pieces.len() as u32]));
        out.extend(u32s(&self.specials));
        let blob: Vec<u8> = self.pieces.iter().flat_map(|(p, _)| p.clone()).collect();
        out.extend((blob.len() as u64).to_le_bytes());
        let mut end = 0;
        out.extend(u32s(&[0]));
        for (piece, _) in &self.pieces {
            end += piece.len() as u32;
            out.extend(u32s(&[end]));
        }
        out.extend(self.pieces.iter().flat_map(|(_, score)| score.to_le_bytes()));
        out.extend(blob);
        let mut table = Vec::new();
        for (from, to) in &self.replacements {
            table.extend(from.to_le_bytes());
            table.push(to.len() as u8);
            table.extend(u32s(to));
        }
        out.extend(u32s(&[self.replacements.len() as u32, table.len() as u32 + self.table_slack]));
        out.extend(table);
        out.extend(u32s(&[self.tensors.len() as u32]));
        for (tensor, offset) in self.tensors.iter().zip(offsets) {
            out.extend((tensor.name.len() as u16).to_le_bytes());
            out.extend(&tensor.name);
            out.push(tensor.kind);
            out.extend(u32s(&[tensor.elements]));
            out.extend(offset.wrapping_add_signed(tensor.shift).to_le_bytes());
            out.extend((tensor.bytes.len() as u64).wrapping_add_signed(tensor.slack).to_le_bytes());
        }
        out
    }
}
