import { assertEquals } from "@std/assert";
import { isBaseImage } from "./base_images.ts";

Deno.test("isBaseImage: true for the tags that base images are published with", () => {
  const names = [
    ...["alpine", "alpine:latest", "alpine:edge", "alpine:3", "alpine:3.22", "alpine:3.20.1", "alpine:20250108"],
    ...["bash", "bash:5", "bash:5.2.37", "bash:5.2-alpine3.20", "bash:devel"],
    ...["busybox", "busybox:1", "busybox:1.36", "busybox:1.36.1-musl", "busybox:stable", "busybox:stable-glibc"],
    ...["debian", "debian:9.4", "debian:12", "debian:bookworm", "debian:bookworm-slim", "debian:stable-20240812-slim"],
    ...["golang", "golang:1.10", "golang:1.22.3", "golang:1.22-alpine", "golang:1.22-bookworm", "golang:1.24rc1"],
    ...["golang:alpine3.19", "golang:tip"],
    ...["python", "python:3", "python:alpine3.6", "python:alpine3.23", "python:3.12-slim", "python:3.9-slim-bullseye"],
    ...["python:3.14.0rc2", "python:slim", "python:3.11-alpine", "python:slim-bookworm"],
    ...["ubuntu", "ubuntu:22.04", "ubuntu:17.10", "ubuntu:jammy", "ubuntu:noble-20240605", "ubuntu:rolling"],
    ...["docker.io/library/alpine:3.22", "docker.io/busybox", "index.docker.io/library/busybox:1.37"],
  ];
  assertEquals(names.filter((name) => !isBaseImage(name)), []);
});

Deno.test("isBaseImage: false for other images, digests and tags that an image is not published with", () => {
  const names = [
    ...["busybox:lates", "busybox:latest1", "busybox:v1", "busybox:1.36-slim", "busybox:Latest", "busybox:1.36."],
    ...[
      "alpine:33",
      "alpine:3.99",
      "busybox:1.99",
      "golang:1.99-alpine3.99",
      "python:3.99-slim",
      "alpine:322",
      "bash:53",
      "busybox:137",
      "debian:120",
      "golang:122",
      "python:312",
      "python:31-slim",
    ],
    ...["ubuntu:22.40", "ubuntu:42.04", "python:alpine32"],
    ...["alpine:slim", "alpine:3.22-alpine", "alpine:v3.22", "bash:zsh", "debian:bookwurm", "debian:bookworm-slm"],
    ...["golang:go1.22", "golang:1.22-alpin", "python:py3", "python:3.12-slime", "python:3.12-sid-slim", "ubuntu:22"],
    ...["ubuntu:nobel", "toString", "constructor:1"],
    ...["busybox.example/busybox", "me/busybox", "nginx", `alpine@sha256:${"0".repeat(64)}`, "A:B:C"],
  ];
  assertEquals(names.filter(isBaseImage), []);
});
