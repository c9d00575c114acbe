import { useEffect } from 'react';
import { problemOf } from '@/api/problem';
import { useSession } from '@/features/accounts/session/use-session';
import { type GarageVehicle, isSameVehicle, removeFromGarage, useGarage } from '@/lib/garage';
import { notify } from '@/ui/notify';
import { useListGarageQuery, useMergeGarageMutation, useRemoveGarageVehicleMutation } from './api';

/** A vehicle of the account's garage, which has an id, or of this browser. */
export interface KeptVehicle extends GarageVehicle {
  id?: string;
  /** What its owner calls it. */
  name?: string;
}

/** The vehicles to choose from: those of the account for whoever is signed in, and those that this browser keeps. */
export function useKeptVehicles(): KeptVehicle[] {
  const signedIn = useSession().phase === 'in';
  const inBrowser = useGarage();
  const { currentData } = useListGarageQuery(undefined, { skip: !signedIn });
  const ofAccount = (signedIn ? (currentData ?? []) : []).map(
    ({ _id, vehicle, engine, label, name }): KeptVehicle => ({
      id: _id,
      vehicle,
      label,
      ...(engine === null ? {} : { engine }),
      ...(name === null ? {} : { name }),
    }),
  );
  const isKept = (own: GarageVehicle) => ofAccount.some((each) => isSameVehicle(each, own));
  return [...inBrowser.filter((own) => !isKept(own)), ...ofAccount];
}

/** Takes a vehicle out of wherever it is kept. */
export function useForgetVehicle(): (vehicle: KeptVehicle) => Promise<void> {
  const [remove] = useRemoveGarageVehicleMutation();
  return async (vehicle) => {
    if (vehicle.id === undefined) {
      removeFromGarage(vehicle);
      return;
    }
    const { error } = await remove(vehicle.id);
    const problem = error && problemOf(error);
    // Gone already, from another browser: that is what was wanted.
    if (problem && problem.status !== 404) notify.error(problem.message);
  };
}

/** While a merge is under way no other one begins: they would send the same. */
let merging = false;

/**
 * Moves what this browser keeps to the account, once somebody is signed in, and whenever they choose a vehicle. What the shop
 * refuses stays in the browser.
 */
export function useMovingGarage(): void {
  const signedIn = useSession().phase === 'in';
  const inBrowser = useGarage();
  const [merge] = useMergeGarageMutation();
  const vehicles = inBrowser.map(({ vehicle, engine }) => ({
    vehicle,
    ...(engine === undefined ? {} : { engine }),
  }));
  const sent = JSON.stringify(vehicles);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent says what is kept; each is sent once.
  useEffect(() => {
    if (!signedIn || vehicles.length === 0 || merging) return;
    merging = true;
    void merge({ garageOfVisitor: { vehicles } }).then(({ error }) => {
      merging = false;
      if (!error) for (const moved of inBrowser) removeFromGarage(moved);
      else if (problemOf(error).status === 409) notify.error(problemOf(error).message);
    });
  }, [signedIn, sent, merge]);
}
