//! Internal notes about orders and customers.

use domain::{Account, Note, NoteId, NoteSubject, Role, Text};
use ports::{NewNote, NoteRepository};

use crate::world::{World, at, concurrently, id, key};

fn note(author: &Account, about: NoteSubject, second: i64) -> NewNote {
    let note = Note {
        id: NoteId::new(id()),
        about,
        author: author.id,
        author_email: author.email.clone(),
        text: Text::new("Called; 'back' on \"Friday\"\n100% _sure_ \\o/").unwrap(),
        created_at: at(second),
    };
    NewNote { note, idempotency_key: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_read_back_latest_first_and_each_under_what_it_is_about() {
    let world = World::fresh().await;
    let (admin, customer) =
        (world.account_as("boss@example.com", Role::Admin).await, world.customer("ada@example.com").await);
    let order = world.fifty(&customer, &world.product(500).await).await;
    let (of_order, of_customer) = (NoteSubject::Order(order.id), NoteSubject::Customer(customer.id));
    let notes = [note(&admin, of_order, 20), note(&admin, of_order, 10), note(&admin, of_customer, 15)];
    for new in &notes {
        assert_eq!(world.notes().add(new).await.unwrap(), new.note.id);
    }
    let [later, sooner, other] = notes.map(|new| new.note);
    assert_eq!(world.notes().about(of_order, 1).await.unwrap(), std::slice::from_ref(&later));
    assert_eq!(world.notes().about(of_order, 9).await.unwrap(), [later, sooner]);
    assert_eq!(world.notes().about(of_customer, 9).await.unwrap(), [other]);
    assert_eq!(world.notes().about(NoteSubject::Customer(admin.id), 9).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_with_the_same_key_is_written_once_even_if_it_was_removed() {
    let world = World::with_pool(8).await;
    let admin = world.account_as("boss@example.com", Role::Admin).await;
    let about = NoteSubject::Customer(admin.id);
    let ids = concurrently(8, |_| {
        let (database, new) =
            (world.database.clone(), NewNote { idempotency_key: Some(key(1)), ..note(&admin, about, 10) });
        async move { NoteRepository::add(&database, &new).await.unwrap() }
    })
    .await;
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(world.notes().about(about, 9).await.unwrap().len(), 1);

    assert!(world.notes().remove(ids[0], admin.id, at(20)).await.unwrap());
    assert!(!world.notes().remove(ids[0], admin.id, at(21)).await.unwrap());
    assert!(!world.notes().remove(NoteId::new(id()), admin.id, at(21)).await.unwrap());
    let again = NewNote { idempotency_key: Some(key(1)), ..note(&admin, about, 30) };
    assert_eq!(world.notes().add(&again).await.unwrap(), ids[0]);
    assert_eq!(world.notes().about(about, 9).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_keeps_a_note_about_one_thing_and_its_removal_whole() {
    let world = World::fresh().await;
    let customer = world.customer("ada@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let (order, account) = (format!("'{}'", order.id), format!("'{}'", customer.id));
    let insert = |order: &str, by: &str, text: &str| {
        format!(
            "INSERT INTO notes (id, order_id, account_id, author_id, author_email, text, created_at)
            VALUES (gen_random_uuid(), {order}, {by}, {account}, 'ada@example.com', {text}, now())"
        )
    };
    world.refuses(&insert("NULL", "NULL", "'a'"), "notes_are_about_one");
    world.refuses(&insert(&order, &account, "'a'"), "notes_are_about_one");
    world.refuses(&insert(&order, "NULL", "''"), "notes_text_check");
    world.refuses(&insert(&order, "NULL", "repeat('a', 2001)"), "notes_text_check");
    world.sql(&insert(&order, "NULL", "repeat('ä', 2000)"));
    world.refuses("UPDATE notes SET removed_at = now()", "notes_removal_is_whole");
    world.refuses("UPDATE notes SET once_key = sha256('a')", "notes_once_is_whole");
}
