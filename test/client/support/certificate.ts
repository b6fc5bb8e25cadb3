/**
 * TEST ONLY: a self-signed certificate for 127.0.0.1 (and for no name) with its key, valid for 100
 * years. The key is public by being here; nothing outside these tests may trust it. Node cannot
 * create certificates by itself, so it was made once with:
 *
 *     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
 *       -subj "/CN=test only" -addext "subjectAltName=IP:127.0.0.1"
 */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIUKK+d6CFyFJ6DvcR25F+0Nx5fmmYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJdGVzdCBvbmx5MCAXDTI2MTEyMTA0NTcyOVoYDzIxMjYxMDI4
MDQ1NzI5WjAUMRIwEAYDVQQDDAl0ZXN0IG9ubHkwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARBdfnEA4iOKzyfw4Dlolx1C7D/1hSzJHSddA82kDWl3xxl2iZWkXIE
vgCX0DCxphDXuHnU3s6BD6eI8MPRkDWjo2QwYjAdBgNVHQ4EFgQUgOCVV+92tZTr
C7hT84qXlg/BigEwHwYDVR0jBBgwFoAUgOCVV+92tZTrC7hT84qXlg/BigEwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IA7PBVGeJeFssxIGhs7ZErqWOKa5Pqi0vbDX45OuHACUAiAsoj02TY0lWJv03Y1s
B3Iyysb6PfhL1haH5bnqtatjKg==
-----END CERTIFICATE-----
`;

export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWP0nHkvLSKOycfDv
K5CFRnOpKZEkHwfutFUjGjEV+T2hRANCAARBdfnEA4iOKzyfw4Dlolx1C7D/1hSz
JHSddA82kDWl3xxl2iZWkXIEvgCX0DCxphDXuHnU3s6BD6eI8MPRkDWj
-----END PRIVATE KEY-----
`;
