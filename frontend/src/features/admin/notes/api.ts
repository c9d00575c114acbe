import { generatedAdminNotesApi } from './api.generated';

/** What notes are about: an order by its id, or a customer by their email. */
const about = (id: string) => ({ type: 'Note', id }) as const;

export const {
  useListOrderNotesQuery,
  useListCustomerNotesQuery,
  useAddOrderNoteMutation,
  useAddCustomerNoteMutation,
  useRemoveNoteMutation,
} = generatedAdminNotesApi
  // Here and not in the one list of tags: only admins load it.
  .enhanceEndpoints({ addTagTypes: ['Note'] })
  .enhanceEndpoints({
    endpoints: {
      listOrderNotes: { providesTags: (_notes, _error, id) => ['Note', about(id)] },
      listCustomerNotes: { providesTags: (_notes, _error, email) => ['Note', about(email)] },
      addOrderNote: { invalidatesTags: (_done, _error, { id }) => [about(id)] },
      addCustomerNote: { invalidatesTags: (_done, _error, { email }) => [about(email)] },
      // A refusal too says that the list on the screen is old: another admin was here.
      removeNote: { invalidatesTags: ['Note'] },
    },
  });
