/* The compiled twin of engine/digests.py: SHA-256 (FIPS 180-4) of many short messages with one beginning.

   A shuffle hashes every card of the pack, and with hashlib most of its time goes into making and copying hash objects.
   Where an x86 processor has instructions for SHA-256 they are used; anywhere else plain C does the same. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WITH_SHA_INSTRUCTIONS
#include <cpuid.h>
#include <immintrin.h>
#endif

#define BLOCK 64
#define MOST_BLOCKS 2
#define LONGEST 119 /* bytes that fit so many blocks with padding and length */
#define TOO_LONG "beginning and name are longer than 119 bytes together"

typedef void (*compressor)(uint32_t state[8], const unsigned char block[BLOCK]);

static const uint32_t START[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int by) { return word >> by | word << (32 - by); }

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void compress_anywhere(uint32_t state[8], const unsigned char block[BLOCK])
{
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t near = w[i - 15], far = w[i - 2];
        uint32_t s0 = rotated(near, 7) ^ rotated(near, 18) ^ near >> 3;
        uint32_t s1 = rotated(far, 17) ^ rotated(far, 19) ^ far >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
        uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i];
        uint32_t s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

#ifdef WITH_SHA_INSTRUCTIONS
static int has_sha_instructions(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
        return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1;
}

__attribute__((target("sha,ssse3,sse4.1"))) static void compress_with_instructions(
    uint32_t state[8], const unsigned char block[BLOCK])
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i m[4];
    /* The instructions want the state as ABEF and CDGH. */
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
    const __m128i abef_before = abef, cdgh_before = cdgh;
    for (int i = 0; i < 4; i++)
        m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), swap);
    for (int i = 0; i < 16; i++) {
        __m128i words = m[i & 3];
        __m128i sum = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)(K + 4 * i)));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        if (i < 12) { /* The four words sixteen further on take the place of these. */
            __m128i next = m[(i + 1) & 3], third = m[(i + 2) & 3], last = m[(i + 3) & 3];
            __m128i part = _mm_add_epi32(_mm_sha256msg1_epu32(words, next), _mm_alignr_epi8(last, third, 4));
            m[i & 3] = _mm_sha256msg2_epu32(part, last);
        }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
    low = _mm_shuffle_epi32(abef, 0x1b);
    high = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}
#endif

static PyObject *digest_of(compressor compress, const unsigned char *message, Py_ssize_t blocks)
{
    uint32_t state[8];
    unsigned char digest[32];
    memcpy(state, START, sizeof state);
    for (Py_ssize_t i = 0; i < blocks; i++)
        compress(state, message + i * BLOCK);
    for (int i = 0; i < 32; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (24 - i % 4 * 8));
    return PyBytes_FromStringAndSize((const char *)digest, sizeof digest);
}

/* Put a name, padding and length after the beginning; return the blocks that makes, 0 with an exception set for none. */
static Py_ssize_t completed(unsigned char *message, Py_ssize_t begun, PyObject *name)
{
    if (!PyBytes_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "names are bytes");
        return 0;
    }
    Py_ssize_t length = begun + PyBytes_GET_SIZE(name);
    if (length > LONGEST) {
        PyErr_SetString(PyExc_ValueError, TOO_LONG);
        return 0;
    }
    Py_ssize_t blocks = (length + 8) / BLOCK + 1, end = blocks * BLOCK;
    memcpy(message + begun, PyBytes_AS_STRING(name), length - begun);
    memset(message + length, 0, end - length);
    message[length] = 0x80;
    message[end - 2] = (unsigned char)(length >> 5);
    message[end - 1] = (unsigned char)(length << 3);
    return blocks;
}

static PyObject *all_digests(compressor compress, PyObject *arguments)
{
    unsigned char message[MOST_BLOCKS * BLOCK];
    const char *beginning;
    Py_ssize_t begun;
    PyObject *names;
    if (!PyArg_ParseTuple(arguments, "y#O!", &beginning, &begun, &PyList_Type, &names))
        return NULL;
    if (begun > LONGEST) {
        PyErr_SetString(PyExc_ValueError, TOO_LONG);
        return NULL;
    }
    memcpy(message, beginning, begun);
    PyObject *digests = PyList_New(0);
    for (Py_ssize_t i = 0; digests != NULL && i < PyList_GET_SIZE(names); i++) {
        Py_ssize_t blocks = completed(message, begun, PyList_GET_ITEM(names, i));
        PyObject *digest = blocks ? digest_of(compress, message, blocks) : NULL;
        if (digest == NULL || PyList_Append(digests, digest) < 0)
            Py_CLEAR(digests);
        Py_XDECREF(digest);
    }
    return digests;
}

static compressor best = compress_anywhere;

static PyObject *digests(PyObject *module, PyObject *arguments) { return all_digests(best, arguments); }

static PyObject *portable(PyObject *module, PyObject *arguments)
{
    return all_digests(compress_anywhere, arguments);
}

static PyMethodDef FUNCTIONS[] = {
    {"digests", digests, METH_VARARGS, "Return the SHA-256 of a beginning followed by each of the names."},
    {"portable_digests", portable, METH_VARARGS, "The same on any processor, so that it can be tested on all."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "digests", .m_size = -1, .m_methods = FUNCTIONS,
};

PyMODINIT_FUNC PyInit_digests(void)
{
#ifdef WITH_SHA_INSTRUCTIONS
    if (has_sha_instructions())
        best = compress_with_instructions;
#endif
    return PyModule_Create(&MODULE);
}
