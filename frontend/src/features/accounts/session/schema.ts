import { object, string } from 'yup';
import { EMAIL_INVALID, EMAIL_REQUIRED, isEmail } from '@/lib/email';
import { fieldMessages } from './pages/messages';

export const email = string()
  .trim()
  .required(EMAIL_REQUIRED)
  .test('email', EMAIL_INVALID, (value) => isEmail(value));

export const password = string()
  .required(fieldMessages.passwordRequired)
  .min(6, fieldMessages.passwordTooShort)
  .max(128, fieldMessages.atMost(128));

export const loginSchema = object({ email, password });

export const signupSchema = object({
  name: string().trim().required(fieldMessages.nameRequired).max(80, fieldMessages.atMost(80)),
  email,
  password,
});
