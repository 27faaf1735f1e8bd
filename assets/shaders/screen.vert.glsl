// One triangle that covers the picture.
out vec2 uv;

void main() {
    vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    uv = 0.5 * p + 0.5;
    gl_Position = vec4(p, 1.0, 1.0);
}
