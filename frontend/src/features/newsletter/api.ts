import { generatedNewsletterApi } from './api.generated';

export const { usePostNewsletterMutation: useSubscribeMutation } = generatedNewsletterApi;
