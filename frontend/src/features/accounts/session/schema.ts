import { object, string } from 'yup';
import { EMAIL_INVALID, EMAIL_REQUIRED, isEmail } from '@/lib/email';

export const email = string()
  .trim()
  .required(EMAIL_REQUIRED)
  .test('email', EMAIL_INVALID, (value) => isEmail(value));

export const password = string()
  .required('Password is required')
  .min(6, 'Must be at least 6 characters')
  .max(128, 'Must be at most 128 characters');

export const loginSchema = object({ email, password });

export const signupSchema = object({
  name: string().trim().required('Name is required').max(80, 'Must be at most 80 characters'),
  email,
  password,
});
