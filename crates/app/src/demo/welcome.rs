//! What the demo prints once it is open.

use std::net::SocketAddr;
use std::path::Path;

use crate::startup_error::StartupError;
use crate::terminal;

use super::seed::{ADMIN, CUSTOMER, PASSWORD};

/// Prints where the shop is, where its e-mails go (`mailed`: to a mail server), the accounts, and how to pay.
pub(super) fn say(address: SocketAddr, data_dir: &Path, mailed: bool) -> Result<(), StartupError> {
    terminal::say(&text(address, data_dir, mailed))
}

fn text(address: SocketAddr, data_dir: &Path, mailed: bool) -> String {
    let emails = if mailed {
        "are sent to the mail server in SMTP_URL".to_owned()
    } else {
        format!("are saved to {}; none are sent", data_dir.join("mail").display())
    };
    let data_dir = data_dir.display();
    format!(
        "
  Driveline is open at http://{address}

  Accounts     {ADMIN} and {CUSTOMER}
  Password     {PASSWORD}
  Test cards   4242 4242 4242 4242   is accepted
               4000 0000 0000 0002   is declined
               4000 0000 0000 9995   has insufficient funds
               any future date, any 3 digits; no real payments

  Emails       {emails}

  Your data is in {data_dir}. Press Ctrl-C to stop.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_prints_all_that_is_needed_to_try_the_shop() {
        let said = text(SocketAddr::from(([127, 0, 0, 1], 9000)), Path::new("/srv/demo"), false);
        for needed in [
            "http://127.0.0.1:9000",
            "admin@example.com",
            "customer@example.com",
            "demo-password",
            "4242 4242 4242 4242",
            "4000 0000 0000 0002",
            "4000 0000 0000 9995",
            "/srv/demo/mail",
            "/srv/demo.",
            "Ctrl-C",
        ] {
            assert!(said.contains(needed), "{needed} is not in:\n{said}");
        }
    }

    #[test]
    fn it_says_if_emails_go_to_a_mail_server() {
        let said = text(SocketAddr::from(([127, 0, 0, 1], 9000)), Path::new("/srv/demo"), true);
        assert!(said.contains("SMTP_URL") && !said.contains("/srv/demo/mail"), "{said}");
    }
}
