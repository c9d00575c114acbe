/** Where the trail shows what admins changed about the thing with this ID. Not in lib/paths, which the first page carries. */
export const auditPath = (id: string) => `/dashboard/audit?q=${encodeURIComponent(id)}`;
