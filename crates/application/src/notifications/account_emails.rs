//! The texts of e-mails about an account.
//!
//! None of them greets by name or repeats user input: someone who signs up with a foreign address chooses the name, and
//! could otherwise have the shop send arbitrary text to that address.

use domain::Email;
use domain::notifications::delivery::Topic;
use ports::AccountToken;

use crate::notifications::emails::{Content, Draft};

const NOT_YOU: &str =
    "If it was not you, choose a new password at once: that ends everybody's access to your account but yours.";

/// The e-mail that asks to confirm an address. It links to the page for that at `origin`, with the token.
pub(crate) fn about_address(token: &AccountToken, origin: &str) -> Content {
    let mut draft = Draft::new("Confirm your address".to_owned(), "Is this your address?");
    draft.says(
        "Somebody signed up at Driveline with this address. If it was you, please confirm that e-mails reach you: open the link \
         where you are signed in, or type the password that you chose.",
    );
    draft.leads("Confirm your address", format!("{origin}/verify-email#token={}", token.expose()));
    draft.says(
        "The link works for one day, and once. If it was not you, do not confirm: with the same link you can take the account \
         over with a password of your own, or delete it.",
    );
    draft.written()
}

/// The e-mail with the link to set another password. It links to the page for that at `origin`, with the token.
pub(crate) fn about_password(token: &AccountToken, origin: &str) -> Content {
    let mut draft = Draft::new("Choose a new password".to_owned(), "Choose a new password");
    draft
        .says("Somebody asked for another password for the account with this address. If it was you, choose one here.");
    draft.leads("Choose a new password", format!("{origin}/reset-password#token={}", token.expose()));
    draft.says(
        "The link works for one hour, and once. If it was not you, there is nothing to do: your password stays what it is.",
    );
    draft.written()
}

/// The e-mail that asks the owner of an address whether they continued with Google. It links to the page for that at
/// `origin`, with the token; only the browser that started the sign-in can finish it there.
pub(crate) fn about_google(token: &AccountToken, origin: &str) -> Content {
    let mut draft = Draft::new("Finish signing in with Google".to_owned(), "Was this you?");
    draft.says(
        "Somebody continued to Driveline with a Google account that has this address. Google does not vouch for the address, \
         so we ask you. If it was you, open this link in the browser in which you chose Google.",
    );
    draft.leads("Finish signing in", format!("{origin}/verify-email#google={}", token.expose()));
    draft.says(
        "The link works for one hour, and once. If it was not you, there is nothing to do: nobody was signed in.",
    );
    draft.written()
}

/// The e-mail that reports a change in how an account can be signed in to, and what to do if its owner did not make it.
/// `about` is the account that an e-mail to the other admins is about. `None` for any other topic.
pub(crate) fn about_change(topic: Topic, about: Option<&Email>, origin: &str) -> Option<Content> {
    let (subject, says) = match topic {
        Topic::AccountPasswordSet => (
            "Your password was set",
            "A new password was chosen for your account, by a link that we had e-mailed to this address. Everybody who was \
             signed in was signed out.",
        ),
        Topic::AccountPasswordChanged => {
            ("Your password was changed", "The password of your account was changed by somebody who was signed in.")
        }
        Topic::AccountGoogleLinked => (
            "Google was added to your account",
            "A Google account can now be used to sign in to your account. You can take it away on your profile page.",
        ),
        Topic::AccountGoogleUnlinked => {
            ("Google was removed from your account", "Google can no longer be used to sign in to your account.")
        }
        Topic::AccountTakenOver => (
            "Your account is yours now",
            "You continued with Google. Somebody had signed up with your address before and never confirmed it, so that \
             nobody knows whether it was you. The password that was set before is gone; choose one by \u{201c}Forgot your \
             password\u{201d} if you want one. Everybody who was signed in was signed out, unpaid orders were cancelled and the \
             profile was emptied.",
        ),
        Topic::AccountDeleted => (
            "The account with your address was deleted",
            "You deleted the account that somebody had opened with your address. Its unpaid orders were cancelled, and your \
             address is free again.",
        ),
        Topic::AccountRoleGiven => {
            ("You are an admin now", "An admin gave your account the admin role: it can run the shop from now on.")
        }
        Topic::AccountRoleTaken => {
            ("You are no longer an admin", "The admin role was taken back from your account. You can shop as before.")
        }
        Topic::AccountAdminAdded => ("There is a new admin", "Another account was given the admin role."),
        _ => return None,
    };
    let mut draft = Draft::new(subject.to_owned(), subject);
    draft.says(says);
    match topic {
        Topic::AccountDeleted => {}
        Topic::AccountAdminAdded => {
            if let Some(about) = about {
                draft.facts(vec![("Account", about.to_string())]);
            }
            draft.says("If you do not know why, take the role back and ask the other admins.");
            draft.leads("See who runs the shop", format!("{origin}/dashboard/users"));
        }
        _ => {
            draft.says(NOT_YOU);
            draft.leads("Choose a new password", format!("{origin}/forgot-password"));
        }
    }
    Some(draft.written())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ports::TokenPurpose;

    use super::*;
    use crate::accounts::issue_account_token::life;

    const ORIGIN: &str = "https://shop.example.com";

    /// The changes that are e-mailed to the account's owner or the other admins.
    const NOTICES: [Topic; 9] = [
        Topic::AccountPasswordSet,
        Topic::AccountPasswordChanged,
        Topic::AccountGoogleLinked,
        Topic::AccountGoogleUnlinked,
        Topic::AccountTakenOver,
        Topic::AccountDeleted,
        Topic::AccountRoleGiven,
        Topic::AccountRoleTaken,
        Topic::AccountAdminAdded,
    ];

    #[test]
    fn an_account_email_links_to_its_page_with_the_token_and_says_how_long_it_is_valid() {
        let token = AccountToken::new("k3y_of-a-letter".into());
        assert_eq!(life(TokenPurpose::Verify), Duration::from_hours(24));
        assert_eq!(life(TokenPurpose::Reset), Duration::from_hours(1));
        for (message, page, life) in [
            (about_address(&token, ORIGIN), "/verify-email", "one day"),
            (about_password(&token, ORIGIN), "/reset-password", "one hour"),
        ] {
            let link = format!("{ORIGIN}{page}#token=k3y_of-a-letter");
            assert!(message.text.contains(&format!("\n{link}\n")), "{}", message.text);
            assert!(message.html.contains(&format!("<a href=\"{link}\">")), "{}", message.html);
            assert!(message.text.contains(life) && message.text.contains("Hello,\n"), "{}", message.text);
            assert!(!message.subject.contains("k3y"));
        }
    }

    #[test]
    fn every_change_of_sign_in_methods_says_what_to_do_if_it_was_someone_else() {
        let somebody: Email = "new.admin@example.com".parse().unwrap();
        for topic in NOTICES {
            let email = about_change(topic, Some(&somebody), ORIGIN).unwrap();
            let advice = match topic {
                Topic::AccountDeleted => "was deleted",
                Topic::AccountAdminAdded => "take the role back",
                _ => "If it was not you",
            };
            assert!(email.text.contains(advice), "{topic:?}: {}", email.text);
            assert_eq!(email.text.contains("new.admin@"), topic == Topic::AccountAdminAdded, "{topic:?}");
        }
        for topic in Topic::ALL {
            assert_eq!(about_change(topic, None, ORIGIN).is_some(), NOTICES.contains(&topic), "{topic:?}");
        }
    }
}
