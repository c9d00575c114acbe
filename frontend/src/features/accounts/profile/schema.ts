import { object, string } from 'yup';
import { password } from '@/features/accounts/session/schema';
import { webLink } from '@/lib/web-link';

/* The lengths are the server's own. Everything is optional: nothing has to be filled in. */
const link = string()
  .default('')
  .trim()
  .max(500, 'At most 500 characters')
  .test('link', 'Please enter an address that begins with https:// or http://', (value) =>
    value ? webLink(value) !== null : true,
  );

export const infoSchema = object({
  studyIn: string().default('').trim().max(200, 'At most 200 characters'),
  livesIn: string().default('').trim().max(200, 'At most 200 characters'),
  phone: string().default('').trim().max(40, 'At most 40 characters'),
  facebook: link,
  linkedin: link,
  github: link,
});

const photo = string()
  .trim()
  .max(2000, 'At most 2,000 characters')
  .test(
    'photo',
    'Please enter an address that begins with https:// or http://',
    (value) => !value || /^\/(?!\/)\S*$/.test(value) || webLink(value) !== null,
  );

export const passwordSchema = object({
  currentPassword: string().required('Current password is required'),
  newPassword: password,
});

/** An emptied photo field takes the photo away. */
export const accountSchema = object({
  displayName: string()
    .trim()
    .required('Display name is required')
    .max(120, 'At most 120 characters'),
  photoURL: photo,
});
