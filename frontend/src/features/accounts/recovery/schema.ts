import { object } from 'yup';
import { email, password } from '@/features/accounts/session/schema';

export const forgotSchema = object({ email });
export const resetSchema = object({ password });
