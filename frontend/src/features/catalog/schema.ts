import { object, string } from 'yup';

/* The lengths are the server's own, so that a text is never cut or refused after the form was sent. */
export const billingSchema = object({
  name: string().trim().required('Name is required').max(120, 'At most 120 characters'),
  phone: string().trim().required('Phone is required').max(40, 'At most 40 characters'),
  address: string().trim().required('Address is required').max(500, 'At most 500 characters'),
});
