import { number, object, string } from 'yup';
import { fieldMessages } from './messages';

export const DETAILS_MAX = 2000;

/* The lengths are the server's own. A rating of 0 is one; only none at all is missing. */
export const reviewSchema = object({
  name: string().trim().required(fieldMessages.nameRequired).max(80, fieldMessages.atMost('80')),
  rating: number().nullable().required(fieldMessages.ratingRequired).integer().min(0).max(5),
  details: string()
    .trim()
    .required(fieldMessages.detailsRequired)
    .max(DETAILS_MAX, fieldMessages.atMost('2,000')),
});
