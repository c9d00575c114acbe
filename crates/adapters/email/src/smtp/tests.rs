//! The sender against a scripted server.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use super::*;
use crate::message::tests::{composer, email};

/// The server's reply to a command, keyed by the command's first word; the defaults for other commands are friendly.
/// `hang` never replies, and `close` closes the connection.
type Moods = &'static [(&'static str, &'static str)];

/// A server on loopback that records what it receives: commands, and a message as `message`. Each connection gets the
/// next of these moods, and the last one is repeated.
async fn server(moods: &'static [Moods]) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&received);
    tokio::spawn(async move {
        let mut moods: VecDeque<Moods> = moods.iter().copied().collect();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let mood = if moods.len() > 1 { moods.pop_front().unwrap() } else { moods[0] };
            notes.lock().unwrap().push("connect".to_owned());
            tokio::spawn(converse(BufReader::new(stream), mood, Arc::clone(&notes)));
        }
    });
    (port, received)
}

async fn converse(mut stream: BufReader<tokio::net::TcpStream>, mood: Moods, notes: Arc<Mutex<Vec<String>>>) {
    let mut word = "greeting".to_owned();
    loop {
        let usual = match word.as_str() {
            "greeting" => "220 hello",
            "EHLO" => "250-server\r\n250 AUTH PLAIN",
            "AUTH" => "235 welcome",
            "DATA" => "354 go on",
            _ => "250 fine",
        };
        let answer = mood.iter().find(|(at, _)| *at == word).map_or(usual, |(_, answer)| *answer);
        match answer {
            "hang" => std::future::pending().await,
            "close" => return,
            answer => stream.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap(),
        }
        let mut line = String::new();
        if word == "DATA" && answer.starts_with("354") {
            while line != ".\r\n" {
                line.clear();
                if stream.read_line(&mut line).await.unwrap() == 0 {
                    return;
                }
            }
            word = "message".to_owned();
        } else {
            if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
                return;
            }
            word = line.split([' ', '\r']).next().unwrap().to_owned();
        }
        let note = if word == "message" { word.clone() } else { line.trim_end().to_owned() };
        notes.lock().unwrap().push(note);
    }
}

fn email_sender(address: &str) -> SmtpSender {
    let email_sender = SmtpSender::new(address.parse().unwrap(), composer()).unwrap();
    SmtpSender { timeout: Duration::from_millis(500), ..email_sender }
}

async fn sent_in(moods: &'static [Moods]) -> (Result<(), EmailError>, Vec<String>) {
    let (port, received) = server(moods).await;
    let sent = email_sender(&format!("smtp://127.0.0.1:{port}")).send(&email("7.1")).await;
    let received = received.lock().unwrap().clone();
    (sent, received)
}

#[tokio::test]
async fn an_email_is_handed_over_in_order() {
    let (sent, received) = sent_in(&[&[]]).await;
    sent.unwrap();
    let expected = [
        "connect",
        "EHLO shop.example.com",
        "MAIL FROM:<orders@shop.example.com>",
        "RCPT TO:<nia@example.com>",
        "DATA",
        "message",
    ];
    assert_eq!(received, expected);
}

#[tokio::test]
async fn emails_share_a_connection_and_one_that_has_died_is_replaced() {
    let (port, received) = server(&[&[("NOOP", "close")], &[]]).await;
    let email_sender = email_sender(&format!("smtp://127.0.0.1:{port}"));
    for id in ["1.1", "2.1", "3.1"] {
        email_sender.send(&email(id)).await.unwrap();
    }
    let received = received.lock().unwrap();
    assert_eq!(received.iter().filter(|line| *line == "connect").count(), 2, "{received:?}");
    assert_eq!(received.iter().filter(|line| *line == "message").count(), 3, "{received:?}");
}

#[tokio::test]
async fn a_permanent_refusal_of_the_email_is_refused() {
    let refusals: [&'static [Moods]; 3] = [
        &[&[("RCPT", "550 5.1.1 no such mailbox")]],
        &[&[("DATA", "554 5.7.1 not this one")]],
        &[&[("message", "552 5.3.4 too large")]],
    ];
    for moods in refusals {
        let (sent, _) = sent_in(moods).await;
        assert!(matches!(sent, Err(EmailError::Refused(_))), "{moods:?}: {sent:?}");
    }
}

#[tokio::test]
async fn transient_errors_and_our_own_misconfiguration_are_retried() {
    let passing: [&'static [Moods]; 12] = [
        &[&[("greeting", "421 busy")]],
        &[&[("greeting", "554 not you")]],
        &[&[("greeting", "close")]],
        &[&[("greeting", "hang")]],
        &[&[("MAIL", "550 we do not know this sender")]],
        &[&[("MAIL", "451 later")]],
        &[&[("RCPT", "450 greylisted")]],
        &[&[("RCPT", "hang")]],
        &[&[("DATA", "250 what?")]],
        &[&[("message", "354 what?")]],
        &[&[("message", "451 disk full")]],
        &[&[("message", "close")]],
    ];
    for moods in passing {
        let (sent, _) = sent_in(moods).await;
        assert!(matches!(sent, Err(EmailError::Unavailable(_))), "{moods:?}: {sent:?}");
    }
}

#[tokio::test]
async fn a_missing_server_is_retried() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let sent = email_sender(&format!("smtp://127.0.0.1:{port}")).send(&email("7.1")).await;
    assert!(matches!(sent, Err(EmailError::Unavailable(_))), "{sent:?}");
}

#[tokio::test]
async fn a_connection_on_which_an_email_failed_is_not_reused() {
    for first in [&[("message", "hang")] as Moods, &[("RCPT", "550 no")], &[("message", "451 later")]] {
        let moods: &'static [Moods] = Box::leak(Box::new([first, &[]]));
        let (port, received) = server(moods).await;
        let email_sender = email_sender(&format!("smtp://127.0.0.1:{port}"));
        assert!(email_sender.send(&email("1.1")).await.is_err());
        email_sender.send(&email("2.1")).await.unwrap();
        let received = received.lock().unwrap();
        assert_eq!(received.iter().filter(|line| *line == "connect").count(), 2, "{received:?}");
        assert!(!received.iter().any(|line| line == "NOOP"), "{received:?}");
    }
}

#[tokio::test]
async fn a_wrong_password_is_retried_and_refuses_no_email() {
    let (port, received) = server(&[&[("AUTH", "535 5.7.8 wrong")]]).await;
    let sent = email_sender(&format!("smtp://user:wrong@127.0.0.1:{port}")).send(&email("7.1")).await;
    assert!(matches!(sent, Err(EmailError::Unavailable(_))), "{sent:?}");
    assert!(received.lock().unwrap().iter().any(|line| line.starts_with("AUTH PLAIN")));
}

#[tokio::test]
async fn a_server_without_tls_receives_neither_password_nor_email() {
    let (port, received) = server(&[&[]]).await;
    let server: MailServer = format!("smtp://user:secret@127.0.0.1:{port}").parse().unwrap();
    let strict = MailServer { privacy: Privacy::Upgraded, ..server };
    let email_sender = SmtpSender::new(strict, composer()).unwrap();
    let sent = email_sender.send(&email("7.1")).await;
    assert!(matches!(sent, Err(EmailError::Unavailable(_))), "{sent:?}");
    let received = received.lock().unwrap();
    assert!(
        received.iter().all(|line| line == "connect" || line.starts_with("EHLO") || line == "QUIT"),
        "{received:?}"
    );
}
