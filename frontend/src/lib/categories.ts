import type { Category } from '@/api/types';

/** The shop's categories as the wire has them, and as a reader sees them. */
export const categories = [
  { value: 'TIRES', label: 'Tires' },
  { value: 'SERVICE KITS', label: 'Service Kits' },
  { value: 'STEERING WHEEL', label: 'Steering Wheel' },
  { value: 'BRAKES', label: 'Brake Parts' },
  { value: 'BATTERIES', label: 'Batteries' },
  { value: 'OILS AND FLUIDS', label: 'Oils and Fluids' },
  { value: 'REPLACEMENT PARTS', label: 'Replacement Parts' },
  { value: 'SAFETY ACCESSORIES', label: 'Safety Accessories' },
] as const satisfies readonly { value: Category; label: string }[];

/** A category as a reader sees it. */
export const categoryLabel = (category: string): string =>
  categories.find(({ value }) => value === category)?.label ?? category;
