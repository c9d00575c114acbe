/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, InsertedId, NewNote, Note } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    removeNote: build.mutation<RemoveNoteApiResponse, RemoveNoteApiArg>({
      query: (queryArg) => ({
        url: `/notes/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    listOrderNotes: build.query<ListOrderNotesApiResponse, ListOrderNotesApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}/notes`,
      }),
    }),
    addOrderNote: build.mutation<AddOrderNoteApiResponse, AddOrderNoteApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg.id))}/notes`,
        method: 'POST',
        body: queryArg.newNote,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listCustomerNotes: build.query<ListCustomerNotesApiResponse, ListCustomerNotesApiArg>({
      query: (queryArg) => ({
        url: `/user/${encodeURIComponent(String(queryArg))}/notes`,
      }),
    }),
    addCustomerNote: build.mutation<AddCustomerNoteApiResponse, AddCustomerNoteApiArg>({
      query: (queryArg) => ({
        url: `/user/${encodeURIComponent(String(queryArg.email))}/notes`,
        method: 'POST',
        body: queryArg.newNote,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminNotesApi };
export type RemoveNoteApiResponse = /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type RemoveNoteApiArg = /** The note's id */ string;
export type ListOrderNotesApiResponse = /** status 200 Notes */ Note[];
export type ListOrderNotesApiArg = /** The order's id */ string;
export type AddOrderNoteApiResponse = /** status 201 Written */ InsertedId;
export type AddOrderNoteApiArg = {
  /** The order's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newNote: NewNote;
};
export type ListCustomerNotesApiResponse = /** status 200 Notes */ Note[];
export type ListCustomerNotesApiArg = /** The account's e-mail */ string;
export type AddCustomerNoteApiResponse = /** status 201 Written */ InsertedId;
export type AddCustomerNoteApiArg = {
  /** The account's e-mail */
  email: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newNote: NewNote;
};
