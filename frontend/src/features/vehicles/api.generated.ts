/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  DeletedCount,
  EditedGarageVehicle,
  GarageOfVisitor,
  GarageVehicle,
  NewGarageVehicle,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listGarage: build.query<ListGarageApiResponse, ListGarageApiArg>({
      query: () => ({ url: `/garage` }),
    }),
    addGarageVehicle: build.mutation<AddGarageVehicleApiResponse, AddGarageVehicleApiArg>({
      query: (queryArg) => ({
        url: `/garage`,
        method: 'POST',
        body: queryArg.newGarageVehicle,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    mergeGarage: build.mutation<MergeGarageApiResponse, MergeGarageApiArg>({
      query: (queryArg) => ({
        url: `/garage/merge`,
        method: 'POST',
        body: queryArg.garageOfVisitor,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    editGarageVehicle: build.mutation<EditGarageVehicleApiResponse, EditGarageVehicleApiArg>({
      query: (queryArg) => ({
        url: `/garage/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.editedGarageVehicle,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    removeGarageVehicle: build.mutation<RemoveGarageVehicleApiResponse, RemoveGarageVehicleApiArg>({
      query: (queryArg) => ({
        url: `/garage/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedVehiclesApi };
export type ListGarageApiResponse = /** status 200 One's vehicles */ GarageVehicle[];
export type ListGarageApiArg = void;
export type AddGarageVehicleApiResponse = /** status 201 Kept */ GarageVehicle;
export type AddGarageVehicleApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newGarageVehicle: NewGarageVehicle;
};
export type MergeGarageApiResponse = /** status 200 All of one's vehicles */ GarageVehicle[];
export type MergeGarageApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  garageOfVisitor: GarageOfVisitor;
};
export type EditGarageVehicleApiResponse = /** status 200 As it is now */ GarageVehicle;
export type EditGarageVehicleApiArg = {
  /** Its id in the garage */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  editedGarageVehicle: EditedGarageVehicle;
};
export type RemoveGarageVehicleApiResponse = /** status 200 Removed */ DeletedCount;
export type RemoveGarageVehicleApiArg = /** Its id in the garage */ string;
