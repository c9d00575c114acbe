import { api } from '@/api/api';
import { type Page, toPage } from '@/api/page';
import { exportOf } from '../shared/export';
import type { AuditEntry, AuditHead, AuditQuery } from './wire';

const auditApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAuditEntries: build.query<
      Page<AuditEntry>,
      AuditQuery & { limit: number; cursor?: string }
    >({
      query: (params) => ({ url: '/audit', params }),
      transformResponse: toPage<AuditEntry>,
    }),
    getAuditHead: build.query<AuditHead, void>({ query: () => '/audit/head' }),
    exportAudit: build.mutation<null, AuditQuery>({ queryFn: exportOf('/audit.csv') }),
  }),
});

export const { useListAuditEntriesQuery, useGetAuditHeadQuery, useExportAuditMutation } = auditApi;
