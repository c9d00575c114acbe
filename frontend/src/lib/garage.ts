/*
 * The vehicles that somebody chose in this browser, the latest first, so that they need not be looked for again. A browser
 * that keeps nothing forgets; no error is shown.
 */
import { useSyncExternalStore } from 'react';

export interface GarageVehicle {
  vehicle: number;
  engine?: number;
  label: string;
}

const NAME = 'garage';
/** As many as a fleet has. */
const MOST = 200;

export const isSameVehicle = (
  one: Pick<GarageVehicle, 'vehicle' | 'engine'>,
  other: Pick<GarageVehicle, 'vehicle' | 'engine'>,
) => one.vehicle === other.vehicle && one.engine === other.engine;

function isGarageVehicle(value: unknown): value is GarageVehicle {
  if (typeof value !== 'object' || value === null) return false;
  const { vehicle, engine, label } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(vehicle) &&
    (engine === undefined || Number.isSafeInteger(engine)) &&
    typeof label === 'string'
  );
}

function stored(): string {
  try {
    return localStorage.getItem(NAME) ?? '[]';
  } catch {
    return '[]';
  }
}

export function readGarage(text = stored()): GarageVehicle[] {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isGarageVehicle).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();

function write(vehicles: readonly GarageVehicle[]): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(vehicles.slice(0, MOST)));
  } catch {
    // It is then not remembered.
  }
  for (const listener of listeners) listener();
}

/** Puts a vehicle first; one that was there already is not there twice. */
export function addToGarage({ vehicle, engine, label }: GarageVehicle): void {
  const added = { vehicle, label, ...(engine === undefined ? {} : { engine }) };
  write([added, ...readGarage().filter((each) => !isSameVehicle(each, added))]);
}

export function removeFromGarage(vehicle: GarageVehicle): void {
  write(readGarage().filter((each) => !isSameVehicle(each, vehicle)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of this browser has the same garage.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** The garage as it is now. */
export function useGarage(): GarageVehicle[] {
  return readGarage(useSyncExternalStore(subscribe, stored, () => '[]'));
}
