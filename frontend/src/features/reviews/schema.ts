import { number, object, string } from 'yup';

export const DETAILS_MAX = 2000;

/* The lengths are the server's own. A rating of 0 is one; only none at all is missing. */
export const reviewSchema = object({
  name: string().trim().required('Name is required').max(80, 'At most 80 characters'),
  rating: number().nullable().required('Rating is required').integer().min(0).max(5),
  details: string()
    .trim()
    .required('Review details are required')
    .max(DETAILS_MAX, 'At most 2,000 characters'),
});
