//! A server's side of the wire protocol, as one speaks it whose messages are in a language that nobody knows
//! (<https://www.postgresql.org/docs/current/protocol-message-formats.html>).

/// What every sentence becomes.
const SENTENCE: &str = "⟨Störung⟩";

/// By this sentence the shop asks, as a value, in which language the server speaks; as long as what it becomes.
const ASKED: (&[u8], &[u8]) = (b"division by zero", b"Division durch 0");

/// Translates what a server sends, whole messages at a time.
#[derive(Default)]
pub(crate) struct Translator {
    unread: Vec<u8>,
}

impl Translator {
    /// Takes what the server has sent, and returns what can be passed on.
    pub(crate) fn translate(&mut self, sent: &[u8]) -> Vec<u8> {
        self.unread.extend_from_slice(sent);
        let mut translated = Vec::new();
        while let Some(length) = self.unread.get(1..5) {
            let length = usize::try_from(u32::from_be_bytes(length.try_into().unwrap())).unwrap() + 1;
            if self.unread.len() < length {
                break;
            }
            let message: Vec<u8> = self.unread.drain(..length).collect();
            translated.extend(match message[0] {
                b'E' | b'N' => in_another_language(&message),
                b'D' => with_another_answer(message),
                _ => message,
            });
        }
        translated
    }
}

/// An error or a notice whose severity, message, detail and hint are other ones. What programs read stays: the SQLSTATE and the
/// names.
fn in_another_language(message: &[u8]) -> Vec<u8> {
    let mut fields = Vec::new();
    for field in message[5..].split(|byte| *byte == 0).filter(|field| !field.is_empty()) {
        match field[0] {
            code @ (b'S' | b'M' | b'D' | b'H') => {
                fields.push(code);
                fields.extend_from_slice(SENTENCE.as_bytes());
            }
            _ => fields.extend_from_slice(field),
        }
        fields.push(0);
    }
    fields.push(0);
    let length = u32::try_from(fields.len() + 4).unwrap();
    [&message[..1], &length.to_be_bytes(), &fields].concat()
}

fn with_another_answer(mut row: Vec<u8>) -> Vec<u8> {
    let (asked, answered) = ASKED;
    if let Some(at) = row.windows(asked.len()).position(|words| words == asked) {
        row[at..at + answered.len()].copy_from_slice(answered);
    }
    row
}

#[test]
fn sentences_are_translated_and_codes_and_everything_else_are_not() {
    let fields = b"SERROR\0VERROR\0C53100\0Mdisk full\0norders_pkey\0\0";
    let error = [&b"E"[..], &u32::try_from(fields.len() + 4).unwrap().to_be_bytes(), fields].concat();
    let ready = b"Z\0\0\0\x05I".to_vec();
    let mut translator = Translator::default();
    let sent = [error, ready.clone()].concat();
    // Cut in the middle of a message.
    let translated = [translator.translate(&sent[..9]), translator.translate(&sent[9..])].concat();
    let text = String::from_utf8_lossy(&translated);
    for kept in ["C53100", "norders_pkey", "VERROR", "M⟨Störung⟩"] {
        assert!(text.contains(kept), "{kept}: {text:?}");
    }
    assert!(!text.contains("disk full"));
    assert!(translated.ends_with(&ready));
    let length = u32::from_be_bytes(translated[1..5].try_into().unwrap());
    assert_eq!(usize::try_from(length).unwrap() + 1 + ready.len(), translated.len());
}
