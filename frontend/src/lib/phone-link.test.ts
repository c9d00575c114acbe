import { expect, it } from 'vitest';
import { phoneLink } from './phone-link';

it.each([
  ['+1 555 0100', 'tel:+15550100'],
  ['(202) 555-0143', 'tel:2025550143'],
])('dials %s', (phone, link) => expect(phoneLink(phone)).toBe(link));
