import { generatedNewsletterApi } from './api.generated';

export const { useSubscribeToNewsletterMutation } = generatedNewsletterApi;
