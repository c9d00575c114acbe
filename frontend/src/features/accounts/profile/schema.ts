import { object, string } from 'yup';
import { password } from '@/features/accounts/session/schema';
import { webLink } from '@/lib/web-link';
import { fieldMessages } from './messages';

/* The lengths are the server's own. Everything is optional: nothing has to be filled in. */
const link = string()
  .default('')
  .trim()
  .max(500, fieldMessages.atMost('500'))
  .test('link', fieldMessages.link, (value) => (value ? webLink(value) !== null : true));

export const infoSchema = object({
  studyIn: string().default('').trim().max(200, fieldMessages.atMost('200')),
  livesIn: string().default('').trim().max(200, fieldMessages.atMost('200')),
  phone: string().default('').trim().max(40, fieldMessages.atMost('40')),
  facebook: link,
  linkedin: link,
  github: link,
});

const photo = string()
  .trim()
  .max(2000, fieldMessages.atMost('2,000'))
  .test(
    'photo',
    fieldMessages.link,
    (value) => !value || /^\/(?!\/)\S*$/.test(value) || webLink(value) !== null,
  );

export const passwordSchema = object({
  currentPassword: string().required(fieldMessages.currentPasswordRequired),
  newPassword: password,
});

/** An emptied photo field takes the photo away. */
export const accountSchema = object({
  displayName: string()
    .trim()
    .required(fieldMessages.nameRequired)
    .max(120, fieldMessages.atMost('120')),
  photoURL: photo,
});
