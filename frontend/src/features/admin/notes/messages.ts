/* Every word of the internal notes that a person reads. */

export const messages = {
  heading: 'Notes',
  hint: "Only admins see these. Customers don't.",
  label: 'Add a note',
  submit: 'Add note',
  tooLong: 'Use at most 2,000 characters',
  required: 'Write something first',
  added: 'Note added',
  empty: 'No notes yet.',
  loading: 'Loading notes',
  failed: "We couldn't load the notes",
  remove: 'Remove',
  removeTitle: 'Remove note',
  removeContext: (author: string) => `the note by ${author}`,
  removeQuestion: 'Remove this note?',
  removeNote: "You can't undo this.",
} as const;
